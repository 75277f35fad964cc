import { asList, asObject, type JsonObject, type JsonValue, valueAt } from '../../src/machinery/json/json.ts';
import type { Respond } from '../harness/admission.ts';

/** The behaviour of a stub webhook, with a name for reports. */
export interface Behaviour {
  readonly name: string;
  readonly respond: Respond;
}

const patching = (name: string, operations: (object: JsonValue) => readonly JsonObject[]): Behaviour => ({
  name,
  // A DELETE has no object.
  respond: ({ object }) => {
    const patch = object === null ? [] : operations(object);
    return patch.length === 0 ? {} : { patch };
  },
});

/** The operation that sets a key of labels or annotations, which may be absent. */
const setting = (map: 'labels' | 'annotations', key: string, value: string) =>
  patching(`sets ${map}.${key}=${value}`, (object) =>
    valueAt(object, 'metadata', map) === undefined
      ? [{ op: 'add', path: `/metadata/${map}`, value: { [key]: value } }]
      : [{ op: 'add', path: `/metadata/${map}/${key}`, value }],
  );

const removing = (key: string): Behaviour =>
  patching(`removes label ${key}`, (object) =>
    valueAt(object, 'metadata', 'labels', key) === undefined ? [] : [{ op: 'remove', path: `/metadata/labels/${key}` }],
  );

const containers = (object: JsonValue): readonly JsonObject[] =>
  asList(valueAt(object, 'spec', 'containers')).map(asObject);

const injecting = (name: string): Behaviour =>
  patching(`injects container ${name}`, (object) => {
    const all = containers(object);
    if (all.length === 0 || all.some((one) => one['name'] === name)) return [];
    return [{ op: 'add', path: '/spec/containers/-', value: { name, image: `${name}:1` } }];
  });

const blindlyInjecting: Behaviour = patching('injects a container each time', (object) => {
  const all = containers(object);
  return all.length === 0
    ? []
    : [{ op: 'add', path: '/spec/containers/-', value: { name: `s${all.length}`, image: 's:1' } }];
});

const settingImages: Behaviour = patching('sets the image of every container', (object) =>
  containers(object).flatMap(({ image }, at) =>
    image === 'mirror:1' ? [] : [{ op: 'replace', path: `/spec/containers/${at}/image`, value: 'mirror:1' }],
  ),
);

const replacingContainers: Behaviour = patching('replaces the containers', (object) =>
  containers(object).length === 0
    ? []
    : [{ op: 'replace', path: '/spec/containers', value: [{ name: 'only', image: 'only:1' }] }],
);

const replacingLabels: Behaviour = patching('replaces all labels', () => [
  { op: 'add', path: '/metadata/labels', value: { owner: 'me' } },
]);

const inVain: Behaviour = patching('sends a patch without effect', (object) => [
  { op: 'add', path: '/metadata/name', value: valueAt(object, 'metadata', 'name') ?? 'web' },
]);

const unknownField: Behaviour = patching('adds an unknown field', () => [{ op: 'add', path: '/datum', value: 'x' }]);

const growing: Behaviour = patching('appends to a label', (object) => {
  const now = valueAt(object, 'metadata', 'labels', 'team');
  return typeof now === 'string' ? [{ op: 'replace', path: '/metadata/labels/team', value: `${now}x` }] : [];
});

const misplaced: Behaviour = patching('patches what is not there', () => [{ op: 'remove', path: '/data/nope/nope' }]);

const breaksLabels: Behaviour = patching('writes an invalid label', () => [
  { op: 'add', path: '/metadata/labels', value: { stub: '-no-' } },
]);

const allowing: Behaviour = { name: 'allows', respond: () => ({}) };

const warning: Behaviour = { name: 'warns', respond: () => ({ warnings: ['careful'] }) };

const denying = (message: string): Behaviour => ({
  name: `denies: ${message}`,
  respond: () => ({ allowed: false, status: { message } }),
});

const denyingLabel: Behaviour = {
  name: 'denies the label stub',
  respond: ({ object }) =>
    valueAt(object ?? undefined, 'metadata', 'labels', 'stub') === undefined
      ? {}
      : { allowed: false, status: { message: 'label "stub" must not be set' } },
};

const denyingLater: Behaviour = {
  name: 'denies the second time',
  respond: (_request, turn) => (turn === 1 ? {} : { allowed: false, status: { message: 'seen already' } }),
};

const failing: Behaviour = {
  name: 'fails',
  respond: () => ({ outcome: 'failed', phase: 'connect', error: 'dial tcp 127.0.0.1:1: connect: connection refused' }),
};

const failingLater: Behaviour = {
  name: 'sets a label, fails the second time',
  respond: (request, turn, timeoutMs) =>
    turn === 1
      ? setting('labels', 'stub', 'yes').respond(request, turn, timeoutMs)
      : failing.respond(request, turn, timeoutMs),
};

const messages = [
  denying('image x is not approved by the security team'),
  denying('label stub is not allowed'),
  denying('metadata.labels.team: Forbidden'),
  denying('"web" must not be'),
] as const;

export const marking = setting('labels', 'stub', 'yes');

export const behaviours: Readonly<Record<'mutating' | 'validating', readonly [Behaviour, ...Behaviour[]]>> = {
  mutating: [
    setting('labels', 'team', 'web'),
    setting('labels', 'team', 'red'),
    marking,
    setting('annotations', 'mode', 'one'),
    setting('annotations', 'mode', 'two'),
    removing('stub'),
    removing('team'),
    injecting('late'),
    injecting('side'),
    blindlyInjecting,
    settingImages,
    replacingContainers,
    replacingLabels,
    inVain,
    unknownField,
    growing,
    misplaced,
    breaksLabels,
    allowing,
    warning,
    denyingLater,
    failing,
    failingLater,
    denyingLabel,
    messages[0],
  ],
  validating: [allowing, allowing, warning, denyingLabel, failing, ...messages],
};
