import { Select } from '@base-ui/react/select';
import { type ReactElement, useRef } from 'react';
import { CheckIcon } from '../icons/icons';
import popup from '../menu/popup.module.css';
import { usePopupContainer } from '../popup-container';
import { buttonClass, SelectValue, type SelectProps } from './select-value';

export interface LoadedSelectProps<Value extends string> extends SelectProps<Value> {
  /** True for the select that was asked for before its code was there. */
  readonly isOpenAtFirst?: boolean;
}

/** A select whose list is here: `Select` loads it. */
export function LoadedSelect<Value extends string>(props: LoadedSelectProps<Value>): ReactElement {
  const { value, onChange, choices, placeholder, isOpenAtFirst = false, ...rest } = props;
  const container = usePopupContainer();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Select.Root<Value>
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      defaultOpen={isOpenAtFirst}
      modal={false}
      items={[...choices]}
    >
      <Select.Trigger {...rest} ref={button} className={buttonClass}>
        <SelectValue {...{ value, choices, placeholder }} />
      </Select.Trigger>
      <Select.Portal container={container}>
        <Select.Positioner className={popup.positioner} alignItemWithTrigger={false} sideOffset={4}>
          {/* The button that was pressed first may not be there any more: `Select` shows another until the list is loaded. */}
          <Select.Popup className={popup.popup} finalFocus={button}>
            <Select.List className={popup.list}>
              {choices.map((choice) => (
                <Select.Item key={choice.value} value={choice.value} className={popup.item}>
                  <Select.ItemIndicator className={popup.mark} keepMounted>
                    <CheckIcon />
                  </Select.ItemIndicator>
                  <span>
                    <Select.ItemText>{choice.label}</Select.ItemText>
                    {choice.note !== undefined && <small>{choice.note}</small>}
                  </span>
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
