import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type WriteState } from '../../api/writes';
import { Facts } from '../../frame/page';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';

type SafeButton = RefObject<HTMLButtonElement | null>;

interface TwoSteps<Typed> {
  /** The values that are shown once more; null in the first step. */
  readonly typed: Typed | null;
  readonly confirm: (typed: Typed) => void;
  readonly goBack: () => void;
  readonly safe: SafeButton;
}

/** A form in two steps: what was typed is shown once more before it is sent. */
export function useTwoSteps<Typed>(): TwoSteps<Typed> {
  const [typed, confirm] = useState<Typed | null>(null);
  const [wasConfirming, setWasConfirming] = useState(false);
  const goBack = () => {
    confirm(null);
    setWasConfirming(true);
  };
  return { typed, confirm, goBack, safe: useFocus(wasConfirming && typed === null) };
}

/** For the safe button of a step that takes the place of another in a dialog: what had the focus is gone. */
function useFocus(isLater: boolean): SafeButton {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLater) button.current?.focus();
  }, [isLater]);
  return button;
}

interface FirstStepProps {
  readonly safe: SafeButton;
  readonly onCancel: () => void;
  readonly onNext: () => void;
  readonly children: ReactNode;
}

export function FirstStep({ safe, onCancel, onNext, children }: FirstStepProps): ReactElement {
  return (
    <Form
      error={null}
      onSubmit={onNext}
      actions={
        <>
          <Button ref={safe} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary">
            Continue
          </Button>
        </>
      }
    >
      {children}
    </Form>
  );
}

interface ConfirmStepProps {
  /** `Grant exactly this?` */
  readonly title: string;
  readonly facts: readonly (readonly [term: string, value: ReactNode])[];
  readonly write: WriteState;
  /** The words of the button that sends it. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

export function ConfirmStep(props: ConfirmStepProps): ReactElement {
  const { title, facts, write, action, isDanger = false, onBack, onConfirm, children } = props;
  const safe = useFocus(true);
  return (
    <Form
      error={write.error}
      label={title}
      onSubmit={() => !write.isBusy && onConfirm()}
      actions={
        <>
          <Button ref={safe} onClick={onBack} isDisabled={write.isBusy}>
            Back
          </Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={write.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <h3>{title}</h3>
      <Facts of={facts} />
      {children}
    </Form>
  );
}
