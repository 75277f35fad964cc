import type { Fields } from '../apimachinery/decode-fields.ts';
import { readGoDuration } from '../apimachinery/go-duration.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { parseTime } from '../apimachinery/time.ts';
import { readExpression } from './expression.ts';
import type { Ask, StageReader } from './expression.ts';
import type { Moment } from './stage.ts';

type Duration = (object: KubernetesObject, now: number) => number | undefined;

/**
 * How long a Stage waits: between its duration and its jitter, both in milliseconds or by an expression that gives a
 * time or `1m30s`. Follows KWOK pkg/utils/lifecycle/lifecycle.go Delay.
 */
export function readDelay(reader: StageReader, spec: Fields): (object: KubernetesObject, at: Moment) => number {
  const path = 'spec.delay';
  const delay = reader.fields.object(spec, 'delay', { struct: 'StageSpec', path: 'spec' }, 'StageDelay');
  reader.fields.only(
    delay,
    ['durationMilliseconds', 'durationFrom', 'jitterDurationMilliseconds', 'jitterDurationFrom'],
    path,
  );
  const duration = readDuration(reader, delay, {
    path,
    number: 'durationMilliseconds',
    from: 'durationFrom',
    otherwise: 0,
  });
  const jitter = readDuration(reader, delay, {
    path,
    number: 'jitterDurationMilliseconds',
    from: 'jitterDurationFrom',
    otherwise: undefined,
  });
  return (object, { now, random }) => {
    const least = duration(object, now);
    if (least === undefined) return 0;
    const most = jitter(object, now);
    if (most === undefined) return least;
    return most <= least ? most : least + Math.floor(random() * (most - least));
  };
}

interface DurationFields {
  readonly path: string;
  readonly number: string;
  readonly from: string;
  readonly otherwise: number | undefined;
}

function readDuration(reader: StageReader, delay: Fields, { path, number, from, otherwise }: DurationFields): Duration {
  const place = { struct: 'StageDelay', path };
  const given = delay[number];
  const value = given === undefined || given === null ? otherwise : reader.fields.whole(delay, number, place, 'int64');
  const expression = reader.fields.object(delay, from, place, 'ExpressionFrom');
  const ask = readExpression(reader, expression, `${path}.${from}`);
  return ask ? (object, now) => fromExpression(ask, object, { now, value }) : () => value;
}

function fromExpression(
  ask: Ask,
  object: KubernetesObject,
  { now, value }: { readonly now: number; readonly value: number | undefined },
): number | undefined {
  const said: JsonValue | undefined = ask(object)[0];
  if (typeof said !== 'string') return value;
  if (said === '') return undefined;
  const time = parseTime(said);
  if (time.outcome === 'parsed') return time.moment.seconds * 1000 + time.moment.nanos / 1e6 - now;
  return readGoDuration(said) ?? value;
}
