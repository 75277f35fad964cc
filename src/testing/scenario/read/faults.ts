import { asObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { Delay, Fault, FaultKind } from '../../stubs/webhook-spec.ts';
import { faultKinds } from '../schema/fault-schema.ts';
import { durationMs, scalarText } from './scalar-text.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';

/** A word, a mapping, or a list of them. */
export function readFaults(at: Located | undefined, problems: Problems): readonly Fault[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) return at.items().flatMap((item) => readFaults(item, problems));
  if (typeof at.value === 'string') return faultOf(at.value, true).map((what) => ({ what }));
  const kinds = at.entries().filter(([name]) => Object.hasOwn(faultKinds, name));
  if (kinds.length !== 1) {
    const choices = Object.keys(faultKinds).join(', ');
    problems.at(
      at,
      kinds.length === 0 ? `has no fault: add one of ${choices}` : 'is two faults in one: make it a list',
    );
    return [];
  }
  return kinds.flatMap(([name, field]) => faultOf(name, field.value)).map((what) => ({ what, ...whenOf(at) }));
}

export function whenOf(at: Located): Omit<Fault, 'what'> {
  const { calls, probability, namespaces } = asObject(at.value);
  return {
    ...(calls === undefined ? {} : { calls: readCalls(calls) }),
    ...(typeof probability === 'number' ? { probability } : {}),
    ...(Array.isArray(namespaces) ? { namespaces: namespaces.map(scalarText) } : {}),
  };
}

const maxCalls = 10_000;

function readCalls(calls: JsonValue): readonly number[] {
  if (Array.isArray(calls)) return calls.map(Number);
  const [first = 0, last = first] = scalarText(calls).split('-').map(Number);
  const count = Math.min(Math.max(last - first + 1, 0), maxCalls);
  return Array.from({ length: count }, (_one, index) => first + index);
}

const simple = {
  hang: 'hang',
  refuse: 'refuse',
  reset: 'reset',
  wrongUid: 'wrong-uid',
  wrongVersion: 'wrong-version',
  badPatch: 'bad-patch',
  dns: 'dns',
} as const;

const tlsFaults = {
  expired: 'tls-expired',
  wrongName: 'tls-wrong-name',
  unknownCA: 'tls-unknown-ca',
  oldProtocol: 'tls-old-protocol',
} as const;

const isKeyOf = <Table extends object>(table: Table, key: string): key is Extract<keyof Table, string> =>
  Object.hasOwn(table, key);

function faultOf(name: string, value: JsonValue): readonly FaultKind[] {
  if (isKeyOf(simple, name)) return [{ type: simple[name] }];
  const fields = asObject(value);
  switch (name) {
    case 'delay':
      return [{ type: 'delay', delay: readDelay(value) }];
    case 'slowBody':
      return [{ type: 'slow-body', delay: readDelay(value) }];
    case 'status':
      return [{ type: 'status', code: Number(fields['code'] ?? value), ...textField(fields, 'body') }];
    case 'garbage':
      return [
        {
          type: 'garbage',
          ...(typeof value === 'string' ? { body: value } : {}),
          ...textField(fields, 'body'),
          ...textField(fields, 'contentType'),
        },
      ];
    default: {
      const problem = scalarText(value);
      return name === 'tls' && isKeyOf(tlsFaults, problem) ? [{ type: tlsFaults[problem] }] : [];
    }
  }
}

const textField = <Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  name: Name,
): { [Field in Name]?: string } => {
  const value = fields[name];
  return typeof value === 'string' ? ({ [name]: value } as { [Field in Name]?: string }) : {};
};

function readDelay(value: JsonValue): Delay {
  if (typeof value === 'string') return { type: 'fixed', milliseconds: durationMs(value) };
  const { from, to, median, sigma } = asObject(value);
  if (typeof median === 'string') {
    return { type: 'lognormal', median: durationMs(median), sigma: typeof sigma === 'number' ? sigma : 0.5 };
  }
  return { type: 'uniform', from: durationMs(scalarText(from)), to: durationMs(scalarText(to)) };
}
