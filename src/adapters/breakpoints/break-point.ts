import type { WebhookCall } from '../../apiserver/admission/webhooks/call.ts';

export type Moment = 'before' | 'after';

/** A breakpoint at every webhook of this name, in any configuration unless one is named. */
export interface BreakPoint {
  /** NAME or CONFIGURATION/NAME. */
  readonly webhook: string;
  readonly moment: Moment;
}

export type BreakReading =
  | { readonly outcome: 'read'; readonly points: readonly BreakPoint[] }
  /** `problem` follows the text: `is not NAME[:before|:after|:both]…`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

/** Reads `NAME[:before|:after|:both]`, where NAME is a webhook's or CONFIGURATION/NAME; the default is before. */
export function readBreak(text: string): BreakReading {
  const { webhook = '', moment = 'before' } = pattern.exec(text)?.groups ?? {};
  if (webhook === '') return { outcome: 'wrong', problem };
  const moments: readonly Moment[] =
    moment === 'both' ? ['before', 'after'] : [moment === 'after' ? 'after' : 'before'];
  return { outcome: 'read', points: moments.map((one) => ({ webhook, moment: one })) };
}

const pattern = /^(?<webhook>[^\s:/]+(?:\/[^\s:/]+)?)(?::(?<moment>before|after|both))?$/;

const problem =
  'is not NAME[:before|:after|:both]: give the name of a webhook, or CONFIGURATION/NAME when two share it';

export const isAt = (
  { webhook }: BreakPoint,
  { webhookName, configuration = '' }: Pick<WebhookCall, 'webhookName' | 'configuration'>,
): boolean => webhook === webhookName || webhook === `${configuration}/${webhookName}`;
