import { asObject, type JsonValue } from '../../../machinery/json/json.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import type { Delay, Fault, FaultKind } from '../../stubs/webhook-spec.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { durationMs, scalarText, scalarTexts } from './scalar-text.ts';
import type { ApiFault, ApiFaultKind } from '../../stubs/api-fault.ts';

/** A word, a mapping, or a list of them. */
export function readFaults(at: Located | undefined, problems: Problems): readonly Fault[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) return at.items().flatMap((item) => readFaults(item, problems));
  if (typeof at.value === 'string') return readFaultKind(at.value, true).map((what) => ({ what }));
  const kinds = at.entries().filter(([name]) => Object.hasOwn(readers, name));
  if (kinds.length !== 1) {
    const choices = Object.keys(readers).join(', ');
    problems.at(
      at,
      kinds.length === 0 ? `has no fault: add one of ${choices}` : 'is two faults in one: make it a list',
    );
    return [];
  }
  return kinds
    .flatMap(([name, field]) => readFaultKind(name, field.value))
    .map((what) => ({ what, ...readFaultConditions(at) }));
}

export function readFaultConditions(at: Located): Omit<Fault, 'what'> {
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

const tlsFaults: Readonly<Record<string, FaultKind>> = {
  expired: { type: 'tls-expired' },
  wrongName: { type: 'tls-wrong-name' },
  unknownCA: { type: 'tls-unknown-ca' },
  oldProtocol: { type: 'tls-old-protocol' },
};

/** The schema has checked the values. */
const readers: Readonly<Record<string, (value: JsonValue) => FaultKind | undefined>> = {
  delay: (value) => ({ type: 'delay', delay: readDelay(value) }),
  hang: () => ({ type: 'hang' }),
  refuse: () => ({ type: 'refuse' }),
  reset: () => ({ type: 'reset' }),
  slowBody: (value) => ({ type: 'slow-body', delay: readDelay(value) }),
  status: (value) => ({
    type: 'status',
    code: Number(asObject(value)['code'] ?? value),
    ...textField(asObject(value)['body'], 'body'),
  }),
  garbage: (value) => {
    const { body = value, contentType } = asObject(value);
    return { type: 'garbage', ...textField(body, 'body'), ...textField(contentType, 'contentType') };
  },
  wrongUid: () => ({ type: 'wrong-uid' }),
  wrongVersion: () => ({ type: 'wrong-version' }),
  badPatch: () => ({ type: 'bad-patch' }),
  tls: (value) => ownValue(tlsFaults, scalarText(value)),
  dns: () => ({ type: 'dns' }),
};

function readFaultKind(name: string, value: JsonValue): readonly FaultKind[] {
  const fault = ownValue(readers, name)?.(value);
  return fault ? [fault] : [];
}

const textField = <Name extends string>(value: JsonValue | undefined, name: Name): { [Field in Name]?: string } =>
  typeof value === 'string' ? ({ [name]: value } as { [Field in Name]?: string }) : {}; // TypeScript widens the name.

function readDelay(value: JsonValue): Delay {
  if (typeof value === 'string') return { type: 'fixed', milliseconds: durationMs(value) };
  const { from, to, median, sigma } = asObject(value);
  if (typeof median === 'string') {
    return { type: 'lognormal', median: durationMs(median), sigma: typeof sigma === 'number' ? sigma : 0.5 };
  }
  return { type: 'uniform', from: durationMs(scalarText(from)), to: durationMs(scalarText(to)) };
}

export const readApiFaults = (at: Located | undefined, problems: Problems): readonly ApiFault[] =>
  (at?.items() ?? []).flatMap((item) => {
    const { verbs, resources, conflict, tooManyRequests } = asObject(item.value);
    if ((conflict === undefined) === (tooManyRequests === undefined)) {
      problems.at(item, 'has no fault: add one of conflict and tooManyRequests');
      return [];
    }
    const what: ApiFaultKind =
      tooManyRequests === undefined
        ? { type: 'conflict' }
        : {
            type: 'too-many-requests',
            ...(typeof tooManyRequests === 'number' ? { retryAfterSeconds: tooManyRequests } : {}),
          };
    return [
      {
        what,
        ...(verbs === undefined ? {} : { verbs: scalarTexts(verbs) }),
        ...(resources === undefined ? {} : { resources: scalarTexts(resources) }),
        ...readFaultConditions(item),
      },
    ];
  });
