import {
  type EndpointDriver,
  type NewProviderEndpoint,
  type ProviderEndpoint,
} from '../rules/provider/endpoint-driver';
import { ProviderUnreachable } from '../rules/provider/provider-failure';

/** The process is killed here: nothing after it happens. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

type Question = keyof EndpointDriver;

interface Machine extends NewProviderEndpoint {
  readonly id: string;
  idleTimeoutMinutes: number;
  state: ProviderEndpoint['state'];
  servedUntil: Date | null;
}

/** A provider of machines that is what a spec says. It keeps what it was asked to make. */
export class ScriptedEndpoints implements EndpointDriver {
  readonly machines = new Map<string, Machine>();
  readonly asked: Question[] = [];
  /** An error as a question comes, or once it was answered, where `after` says so. */
  trouble: { readonly at: Question; readonly error: Error; readonly after: boolean } | null = null;
  isDown = false;
  /** How many workers were killed while they asked. */
  kills = 0;
  /** So many orders to stop are answered, and not followed. */
  ignoredStops = 0;
  made = 0;

  create(endpoint: NewProviderEndpoint): Promise<ProviderEndpoint> {
    return this.answer('create', () => {
      const id = `endpoint-${String(++this.made)}`;
      const machine: Machine = { ...endpoint, id, state: 'pending', servedUntil: null };
      this.machines.set(id, machine);
      return present(machine);
    });
  }

  find(name: string): Promise<ProviderEndpoint | null> {
    return this.answer('find', () => {
      const found = [...this.machines.values()].find((machine) => machine.name === name);
      return found === undefined ? null : present(found);
    });
  }

  state(id: string): Promise<ProviderEndpoint | null> {
    return this.answer('state', () => this.known(id));
  }

  changeIdleTimeout(id: string, idleTimeoutMinutes: number): Promise<ProviderEndpoint | null> {
    return this.answer('changeIdleTimeout', () => {
      const machine = this.machines.get(id);
      if (machine !== undefined) Object.assign(machine, { idleTimeoutMinutes });
      return this.known(id);
    });
  }

  stop(id: string): Promise<ProviderEndpoint | null> {
    return this.answer('stop', () => {
      const machine = this.machines.get(id);
      if (machine !== undefined && this.ignoredStops-- <= 0) machine.state = 'stopped';
      return this.known(id);
    });
  }

  remove(id: string): Promise<void> {
    return this.answer('remove', () => {
      this.machines.delete(id);
    });
  }

  /** Every machine is in this state now. */
  say(state: ProviderEndpoint['state'], servedUntil: Date | null = null): void {
    for (const machine of this.machines.values()) Object.assign(machine, { state, servedUntil });
  }

  private known(id: string): ProviderEndpoint | null {
    const machine = this.machines.get(id);
    return machine === undefined ? null : present(machine);
  }

  private async answer<T>(question: Question, work: () => T): Promise<T> {
    this.asked.push(question);
    if (this.isDown) throw new ProviderUnreachable('down');
    const { trouble } = this;
    const isMet = trouble?.at === question;
    if (isMet && !trouble.after) this.fail(trouble.error);
    const result = await Promise.resolve(work());
    if (isMet && trouble.after) this.fail(trouble.error);
    return result;
  }

  private fail(error: Error): never {
    this.trouble = null;
    if (error instanceof Killed) this.kills += 1;
    throw error;
  }
}

const present = ({ id, name, state, servedUntil, idleTimeoutMinutes }: Machine): ProviderEndpoint => ({
  id,
  state,
  servingSince: null,
  servedUntil,
  idleTimeoutMinutes,
  inferenceModel: `acme/${name}`,
});
