import type { WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { isAt } from './break-point.ts';
import type { BreakPoint, Moment } from './break-point.ts';

/** A break point and how many requests it has held so far. */
export interface SwitchedOn extends BreakPoint {
  readonly hits: number;
}

/** The break points that are switched on. */
export interface Switches {
  readonly list: () => readonly SwitchedOn[];
  readonly on: (points: readonly BreakPoint[]) => void;
  readonly off: (points: readonly BreakPoint[]) => void;
  /** Does a break point ask for this call to be held at this moment? If so, it counts one more. */
  readonly hit: (moment: Moment, call: WebhookCall) => boolean;
}

export function createSwitches(): Switches {
  const points = new Map<string, SwitchedOn>();
  return {
    list: () => [...points.values()],
    on: (added) => {
      for (const point of added) {
        const key = keyOf(point);
        points.set(key, points.get(key) ?? { ...point, hits: 0 });
      }
    },
    off: (removed) => {
      for (const point of removed) points.delete(keyOf(point));
    },
    hit: (moment, call) => {
      const point = [...points.values()].find((one) => one.moment === moment && isAt(one, call));
      if (point) points.set(keyOf(point), { ...point, hits: point.hits + 1 });
      return point !== undefined;
    },
  };
}

const keyOf = ({ webhook, moment }: BreakPoint): string => `${webhook}:${moment}`;
