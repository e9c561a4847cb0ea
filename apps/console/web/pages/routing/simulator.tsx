import { type ReactElement, useState } from 'react';
import { useRested } from '../../browser/use-rested';
import { useSimulation, type SimulatedCall, type SimulatedSubject } from '../../calls/simulation';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Checkbox } from '../../ui/fields/check-field';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { type CatalogNames } from '../../policies/catalog-names';
import { writtenOf, type PolicyDocument, type PolicyLevel } from '../../policies/policy';
import { operationWords } from '../../policies/text';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { Result } from '../../ui/states/result';
import { routingRoute } from './route';
import styles from './routing.module.css';
import { SimulatedRoute } from './simulated-route';
import { text } from './text';

type Operation = keyof typeof operationWords;
const words = text.simulator;
const operations = Object.entries(operationWords) as [Operation, string][];
const routes: readonly { readonly value: Operation | 'any'; readonly label: string }[] = [
  { value: 'any', label: words.anyRoute },
  ...operations.map(([value, label]) => ({ value, label })),
];

/** A policy in the place of that of its level. */
interface SimulatedDraft {
  readonly level: PolicyLevel;
  readonly document: PolicyDocument;
}

interface SimulatedProps {
  /** Null asks about the policies in force. */
  readonly draft: SimulatedDraft | null;
  /** Whose calls they are. */
  readonly subject: SimulatedSubject;
}
interface SimulatorProps extends SimulatedProps {
  /** The purpose of the simulator. */
  readonly purpose: string;
  readonly catalog: CatalogNames;
}

/** The outcome of a call under the draft: the planner of calls is asked, and nothing is called. */
export function Simulator({ draft, subject, purpose, catalog }: SimulatorProps): ReactElement {
  const {
    model = catalog.callable ?? catalog.models[0],
    route,
    mode,
    parameters = [],
  } = routingRoute.useSearch();
  const call =
    model === undefined
      ? null
      : { model, operation: route, compat_mode: mode ?? ('permissive' as const), parameters };
  return (
    <Section title={words.title}>
      <p className="muted">{purpose}</p>
      <SimulatedCallFields model={model} catalog={catalog} />
      {call === null ? (
        <p className="muted">{catalog.isWhole ? words.noModels : words.noModel}</p>
      ) : (
        <SimulatedResult draft={draft} subject={subject} call={call} />
      )}
    </Section>
  );
}

function SimulatedResult({
  draft,
  subject,
  call,
}: SimulatedProps & { readonly call: SimulatedCall }): ReactElement {
  const document = useRested(draft?.document);
  const policy = draft && document && { ...writtenOf(draft.level, document) };
  const simulation = useSimulation(policy ?? undefined, call, subject);
  return (
    <div aria-live="polite" aria-busy={simulation.isFetching || undefined} className={styles.result}>
      <Result of={simulation} lines={5}>
        {(data) => <SimulatedRoute simulation={data} />}
      </Result>
    </div>
  );
}

/** The call that is asked about. The address keeps it. */
function SimulatedCallFields({
  model,
  catalog,
}: {
  readonly model: string | undefined;
  readonly catalog: CatalogNames;
}): ReactElement {
  const { route, mode, parameters = [] } = routingRoute.useSearch();
  const navigate = routingRoute.useNavigate();
  const [typed, setTyped] = useState(parameters.join(', '));
  const set = (change: Partial<ReturnType<typeof routingRoute.useSearch>>) =>
    void navigate({ search: (address) => ({ ...address, ...change }), replace: true, resetScroll: false });
  const known =
    model === undefined || catalog.models.includes(model) ? catalog.models : [model, ...catalog.models];
  return (
    <div className={styles.callFields}>
      <ComboboxField
        label={words.model}
        value={model ?? null}
        onChange={(chosen) => chosen !== null && set({ model: chosen })}
        choices={known.map((id) => ({ value: id, label: visibleText(id) }))}
      />
      <SelectField
        label={words.route}
        value={route ?? 'any'}
        onChange={(chosen) => set({ route: chosen === 'any' ? undefined : chosen })}
        choices={routes}
      />
      <TextField
        label={words.parameters}
        hint={words.parametersHint}
        value={typed}
        spellCheck={false}
        onChange={(next) => {
          setTyped(next);
          const names = parametersIn(next);
          set({ parameters: names.length === 0 ? undefined : names });
        }}
      />
      <Checkbox
        label={words.strict}
        note={words.strictNote}
        isChecked={mode === 'strict'}
        onChange={(isStrict) => set({ mode: isStrict ? 'strict' : undefined })}
      />
    </div>
  );
}

const parametersIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,]+/).filter((name) => name !== '')),
];
