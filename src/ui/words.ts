import type { TraceSummary } from '../explain/trace/trace-summary.ts';

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(milliseconds >= 10_000 ? 0 : 1)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}

/** `14:03:27.041` in the reader's time zone. */
export function clockTime(instant: number): string {
  const date = new Date(instant);
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}

/** `shop/web`, or the name alone. */
export const objectName = ({
  namespace,
  name,
  resource,
}: Pick<TraceSummary, 'namespace' | 'name' | 'resource'>): string => {
  const shown = name === '' ? '–' : name;
  return namespace === '' || resource === 'namespaces' ? shown : `${namespace}/${shown}`;
};

/** Without the text of other columns: `policy no-latest: no image may be latest`. */
export function refusalWords(message: string): string {
  const [, policy, why] =
    /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: ([^]*)$/.exec(message) ?? [];
  return policy === undefined
    ? message.replace(/^\S+ "[^"]*" is (?:forbidden|invalid): /, '')
    : `policy ${policy}: ${why}`;
}

/** docs/internals/architecture.md lists the stages. */
export const stageWords = (name: string): string => stages[name] ?? name.replaceAll('-', ' ');

const stages: Readonly<Record<string, string>> = {
  'resolve-target': 'find the resource',
  'read-options': 'read the options',
  'set-deadline': 'set the time limit',
  'load-conditions': 'load CEL and schemas',
  'decode-body': 'read the body',
  'load-current': 'read what is stored',
  'apply-patch': 'apply the patch',
  'check-patch-type': 'check the kind of patch',
  'check-version': 'compare apiVersion and kind',
  'check-identity': 'compare name and namespace',
  'check-uid': 'compare uid',
  'check-resource-version': 'compare resourceVersion',
  'place-new-object': 'set name and namespace',
  'wipe-system-fields': 'clear system fields',
  'track-managed-fields': 'note managed fields',
  'check-escalation': 'check what rights are given',
  'authorize-creation': 'check the right to create',
  'drop-duplicate-owners': 'remove duplicate owners',
  'prepare-for-storage': 'fill in and validate',
  persist: 'store',
};

export const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
