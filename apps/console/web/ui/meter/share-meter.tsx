import { type ReactElement } from 'react';
import styles from './share-meter.module.css';

interface ShareMeterProps {
  /** The name of the measure, for those who hear it. */
  readonly label: string;
  /** The value in words; without it the label has it. */
  readonly valueText?: string;
  /** 1 is all of it. What is beyond that is not drawn. */
  readonly share: number;
  readonly tone: 'good' | 'warn' | 'bad' | 'off';
}

/** A bar that is filled by a share. */
export const ShareMeter = ({ label, valueText, share, tone }: ShareMeterProps): ReactElement => (
  <meter
    className={styles.meter}
    data-tone={tone}
    aria-label={label}
    aria-valuetext={valueText}
    min={0}
    max={1}
    value={Math.min(share, 1)}
  />
);
