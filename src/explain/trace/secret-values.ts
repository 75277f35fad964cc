import { base64Bytes, encodeBytes } from '../../machinery/go/base64-bytes.ts';
import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { type JsonObject, type JsonValue, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import { ownValue } from '../../machinery/meta/object.ts';
import type { Trace } from './trace.ts';

/** The secret values of a trace, and how to mask them. */
export interface SecretValues {
  /** Is the request about a Secret or a token? Then its patches are too. */
  readonly isSubject: boolean;
  /** The fields with secret values. */
  readonly hiddenFields: (object: JsonObject) => readonly string[];
  /** The same for an object without a kind, since the request is about it. */
  readonly subjectFields: (object: JsonObject) => readonly string[];
  /** Is the JSON pointer of a patch that of a secret field? */
  readonly hidesPath: (pointer: string) => boolean;
  /** `‹masked N›`: equal values have equal numbers. */
  readonly maskOf: (value: JsonValue) => string;
  /** The text without any known secret. */
  readonly scrubText: (text: string) => string;
}

const fieldsOfKind: Readonly<Record<string, readonly string[]>> = {
  Secret: ['data', 'stringData'],
  TokenRequest: ['status'],
  TokenReview: ['spec'],
  PodExecOptions: ['command'],
};
const subjects = new Set(['secrets', 'serviceaccounts/token', 'tokenreviews']);
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const minSecretLength = 4;

/** undefined when the trace has no secret values. */
export function collectSecrets(trace: Trace): SecretValues | undefined {
  const isSubject = isAboutSecrets(trace);
  const secrets = createNumbers();
  const { numbers, note } = secrets;
  for (const root of tracedValues(trace)) noteHidden(root, note);
  for (const decision of trace.admission) {
    if (decision.type !== 'webhook') continue;
    noteUrl(decision.url, note);
    for (const { url, location } of decision.exchanges ?? []) for (const one of [url, location]) noteUrl(one, note);
  }
  if (trace.request.subresource === 'exec') for (const command of commandsIn(trace.request.query)) note(command, true);
  if (isSubject) {
    noteOperations(trace, note);
    noteBody(trace.request.body, note);
  }
  return isSubject || numbers.size > 0 ? secretValues(secrets, isSubject) : undefined;
}

export function collectSecretsIn(value: JsonValue): SecretValues | undefined {
  const secrets = createNumbers();
  const { numbers, note } = secrets;
  noteHidden(value, note);
  return numbers.size > 0 ? secretValues(secrets, false) : undefined;
}

interface Numbers {
  readonly numbers: ReadonlyMap<string, number>;
  /** Command words that stay readable. */
  readonly plain: ReadonlySet<string>;
  readonly note: Note;
}

type Note = (value: JsonValue, isCommand?: boolean) => void;

function createNumbers(): Numbers {
  const numbers = new Map<string, number>();
  const plain = new Set<string>();
  const note: Note = (value, isCommand = false) => {
    const key = valueKey(value);
    if (isCommand && isPlainWord(key)) plain.add(key);
    else if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  };
  return { numbers, plain, note };
}

function secretValues({ numbers, plain }: Numbers, isSubject: boolean): SecretValues {
  const maskOf = (value: JsonValue): string => {
    const number = numbers.get(valueKey(value));
    return number === undefined && plain.has(valueKey(value)) ? valueKey(value) : `‹masked ${number ?? 0}›`;
  };
  const secrets = spellings([...numbers.keys()]).map((spelling) => ({ ...spelling, mask: maskOf(spelling.value) }));
  return {
    isSubject,
    hiddenFields,
    subjectFields: unknownFields,
    hidesPath,
    maskOf,
    scrubText: (text) => scrub(text, secrets),
  };
}

function isAboutSecrets({ request: { group, resource, subresource } }: Trace): boolean {
  if (group !== '' && group !== 'authentication.k8s.io') return false;
  return subjects.has(subresource === '' ? resource : `${resource}/${subresource}`) || resource === 'secrets';
}

function hiddenFields(object: JsonObject): readonly string[] {
  const applied = asString(object[lastApplied]);
  if (applied !== '' && /"kind":\s*"Secret"/.test(applied)) return [lastApplied];
  const kind = asString(object['kind']);
  // A reference to a Secret has no metadata.
  if (kind === 'Secret' && isJsonObject(object['metadata'])) return unknownFields(object);
  return ownValue(fieldsOfKind, kind) ?? [];
}

const openFields = ['apiVersion', 'kind', 'metadata', 'type', 'immutable'];

/** Any other field: its name may be misspelt. */
const unknownFields = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((field) => !openFields.includes(field));

const hidesPath = (pointer: string): boolean =>
  !openFields.includes(pointer.split('/')[1] ?? '') || pointer.includes('last-applied');

const tracedValues = ({
  request,
  objectReceived,
  objectBefore,
  objectAfter,
  admission,
}: Trace): readonly JsonValue[] => [
  request.body ?? null,
  objectReceived ?? null,
  objectBefore,
  objectAfter,
  ...admission.flatMap((decision) =>
    decision.type === 'webhook' ? [decision.review ?? null, decision.answer ?? null] : [],
  ),
];

function noteHidden(value: JsonValue | undefined, note: Note): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) noteHidden(item, note);
  } else if (isJsonObject(value)) {
    const hidden = hiddenFields(value);
    noteUrl(asObject(value['clientConfig'])['url'], note);
    for (const [field, child] of Object.entries(value)) {
      if (!hidden.includes(field)) noteHidden(child, note);
      else if (field === lastApplied) noteApplied(asString(child), note);
      else noteLeaves(child, value['kind'] === 'PodExecOptions' ? (word) => note(word, true) : note);
    }
  }
}

function noteUrl(url: JsonValue | undefined, note: Note): void {
  for (const part of secretsInUrl(asString(url))) note(part);
}

function noteApplied(text: string, note: Note): void {
  note(text);
  try {
    const applied = JSON.parse(text) as JsonValue;
    noteHidden(applied, note);
  } catch {
    // The whole text is masked.
  }
}

function noteLeaves(value: JsonValue | undefined, note: Note): void {
  if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) noteLeaves(item, note);
  else if (isJsonObject(value)) for (const child of Object.values(value)) noteLeaves(child, note);
  else if (value !== null && value !== undefined) note(value);
}

function noteOperations({ admission }: Trace, note: Note): void {
  for (const decision of admission) {
    noteList(('patch' in decision && decision.patch) || [], note);
  }
}

function noteBody(body: JsonValue | undefined, note: Note): void {
  if (Array.isArray(body)) noteList(body as readonly JsonValue[], note);
  else for (const field of unknownFields(asObject(body))) noteLeaves(asObject(body)[field], note);
}

function noteList(operations: readonly JsonValue[], note: Note): void {
  for (const operation of operations) {
    const { path, value } = asObject(operation);
    if (hidesPath(asString(path))) noteLeaves(value, note);
  }
}

const valueKey = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value, bigintAsText);

/** The spellings of a secret in texts: plain, decoded from and encoded in base64, each also as a JSON string. */
function spellings(values: readonly string[]): readonly { readonly value: string; readonly text: string }[] {
  const all = values.flatMap((value) =>
    [value, decodeText(value), encodeText(value)]
      .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
      .map((text) => ({ value, text })),
  );
  return all
    .filter(({ text }) => text.length >= minSecretLength)
    .toSorted((one, other) => other.text.length - one.text.length);
}

function decodeText(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(base64Bytes(value));
  } catch {
    return '';
  }
}

const encodeText = (value: string): string => encodeBytes(new TextEncoder().encode(value));

const scrub = (text: string, secrets: readonly { readonly text: string; readonly mask: string }[]): string =>
  text.length < minSecretLength
    ? text
    : secrets.reduce((rest, { text: secret, mask }) => rest.replaceAll(secret, mask), text);

/** The credentials in a webhook's URL: user info, query values, and path segments that look random. */
export function secretsInUrl(text: string): readonly string[] {
  const [, user = '', path = '', query = ''] = /^[^:/]*:\/\/(?:([^/?#]*)@)?[^/?#]*([^?#]*)\??([^#]*)/.exec(text) ?? [];
  const values = query.split('&').flatMap((pair) => (pair.startsWith('timeout=') ? [] : pair.split('=').slice(1)));
  return [user, ...user.split(':').slice(1), ...values, ...path.split('/').filter(looksRandom)].filter(
    (part) => part !== '',
  );
}

/** Long, with letters and digits. */
const looksRandom = (part: string): boolean => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part);

/** The commands in the query of an exec. */
export const commandsIn = (query: string): readonly string[] => new URLSearchParams(query).getAll('command');

/** A command word that stays readable: `sh`, `-c`, `bin/ls`. */
export const isPlainWord = (word: string): boolean => /^[-A-Za-z/._]{0,7}$/.test(word);

export function withoutCommands(query: string, maskOf: (command: string) => string): string {
  const masked = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query))
    masked.append(name, name === 'command' ? maskOf(value) : value);
  return masked.toString();
}

/** The ServiceAccount plugin gives its volume a random name in every Pod. */
export const withoutRandomName = (text: string): string =>
  text.startsWith('kube-api-access-') && /^[a-z0-9]{5}$/.test(text.slice('kube-api-access-'.length))
    ? 'kube-api-access-<random>'
    : text;

/** Replaces every string value, not the field names. */
export function mapStrings(value: JsonValue | undefined, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, change));
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, mapStrings(one, change)]));
}
