import type { Hold } from '../../apiserver/admission/webhooks/call.ts';
import { durationText } from './sentences.ts';
import type { TracedWebhook } from './trace.ts';

/** The duration of a call without the time at breakpoints, in milliseconds. */
export const ownMilliseconds = ({
  milliseconds: all,
  holds = [],
}: Pick<TracedWebhook, 'milliseconds' | 'holds'>): number =>
  holds.reduce((left, hold) => left - hold.milliseconds, all);

/** `; held 2.5 s before the call, continued by alice`; empty when it was not held. */
export const holdWords = ({ holds = [] }: Pick<TracedWebhook, 'holds'>): string => holds.map(wordsOf).join('');

const wordsOf = ({ moment, milliseconds: held, ended, by }: Hold): string =>
  `; held ${durationText(held)} ${moment} the call, ${endings[ended]}${by === '' ? '' : ` by ${by}`}`;

const endings = {
  continued: 'continued',
  answered: 'answered',
  canceled: 'until the client went away',
  closed: 'until the server was stopped',
} as const;
