import { unless } from './claims.ts';
import { hasMark, hasMarkIn, lastCalls } from './headline-claims.ts';
import { at, callsOf, changes, type WebhookCall, type Path, type Truth, webhookNamed } from './truth.ts';
import { parsePaths } from './parse-sentence.ts';

/** `hook.example.com (conf-a)`, `policy mp0`, `plugin PodSecurity`. */
const actor = (group: string): string => `(?:policy |plugin )?(?<${group}>[\\w.-]+)(?: \\([\\w-]+\\))?`;

export const form = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/(?<!\?)<(\w+)>/g, (_all, group: string) => actor(group))}$`);

export const isWebhook = (name: string, truth: Truth): boolean => webhookNamed(truth, name) !== undefined;

/** The calls of all webhooks that changed a field. */
const writersOf = (path: Path, { done }: Truth): readonly WebhookCall[] => done.filter((one) => changes(one, path));

/** Whether `name` wrote all of these. Changes of policies and plugins are only visible in later objects. */
export function checkWrites(name: string, what: string, truth: Truth): string | undefined {
  const paths = parsePaths(what);
  if (paths === undefined) return `cannot read ${what}`;
  if (!isWebhook(name, truth)) return undefined;
  const missing = paths.filter((path) => !writersOf(path, truth).some(({ webhook }) => webhook === name));
  return unless(missing.length === 0, `${name} did not change ${missing.map((path) => path.join('.')).join()}`);
}

export const firstOf = (...problems: readonly (string | undefined)[]): string | undefined =>
  problems.find((one) => one !== undefined);

/** Whether a webhook or policy denied, and the client was refused for it. */
export const checkDenial = (name: string, truth: Truth): string | undefined => {
  if (truth.isAdmitted) return 'it was admitted';
  if (!isWebhook(name, truth)) return undefined;
  return unless(
    callsOf(truth, name).some(({ outcome }) => outcome === 'denied'),
    `${name} did not deny`,
  );
};

/** It must be the last writer of each field. */
export function checkLastWriter(name: string, what: string, truth: Truth): string | undefined {
  const paths = parsePaths(what);
  if (paths === undefined) return `cannot read ${what}`;
  if (!isWebhook(name, truth)) return undefined;
  const wrong = paths.filter((path) => writersOf(path, truth).at(-1)?.webhook !== name);
  return unless(wrong.length === 0, `another one wrote ${wrong.map((path) => path.join('.')).join()} last`);
}

export const checkDropped = (what: string, { played, isAdmitted }: Truth): string | undefined => {
  if (!isAdmitted || played.storedAfter === undefined) return undefined;
  const left = parsePaths(what)?.filter((path) => at(played.storedAfter, path) !== undefined) ?? [];
  return unless(left.length === 0, 'it is stored');
};

/** Whether this request added the policy's annotation to the object. */
export const isNew = (truth: Truth, name: string): boolean =>
  hasMark(truth, name) && !hasMarkIn(truth.played.storedBefore, name);

export const checkCalledTwice = (name: string, truth: Truth): string | undefined =>
  isWebhook(name, truth) ? unless(lastCalls(truth, name).length === 2, 'it was not called twice') : undefined;

/** Named by its path, its quoted name or its quoted value. */
export function isIn(path: Path, by: string, message: string, truth: Truth): boolean {
  const values = truth.done.flatMap((one) => (one.webhook === by ? [at(one.after, path)] : []));
  const quoted = [path.at(-1), ...values].some((text) => typeof text === 'string' && message.includes(`"${text}"`));
  return quoted || message.includes(path.join('.'));
}
