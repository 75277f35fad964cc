/** Replaces values that differ from run to run, as in the recorded conversations. */
export type Normalise = (value: unknown) => unknown;

const suffix = '[bcdfghjklmnpqrstvwxz2456789]{5}';
const build = new Set(['gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform']);

export function createNormaliser(namespace: string, caBundle: string): Normalise {
  const uids = new Map<string, string>();
  const addresses = new Set<string>();
  const uid = (text: string): string => {
    const known = uids.get(text) ?? `<uid-${uids.size + 1}>`;
    uids.set(text, known);
    return known;
  };
  const text = (raw: string): string =>
    raw
      .replaceAll(caBundle, '<ca>')
      .replaceAll(namespace, '<ns>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uid)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replaceAll(/127\.0\.0\.1:\d{5}->/g, '127.0.0.1:<port>->')
      .replaceAll(/kube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<suffix>')
      .replace(/(pod updates may not change fields other than [^\n]*)\n[\s\S]*/, '$1')
      .replaceAll(/(lookup \S+) on \S+:53/g, '$1 on <dns>')
      .replaceAll(new RegExp(`\\bgen-${suffix}\\b`, 'g'), 'gen-<suffix>')
      .replaceAll(/\b10\.0\.0\.\d{1,3}\b(?!\/)/g, (address) => (addresses.has(address) ? '<cluster-ip>' : address))
      .replaceAll(/(in record \(|current: |\brevision=)\d+/g, '$1<rv>')
      .replaceAll(/(\\?"?resourceVersion\\?"?: ?\\?")\d+/g, '$1<rv>');

  const string = (value: string, key: string, parent: Record<string, unknown>): string => {
    if (key === 'clusterIP' && value.startsWith('10.')) {
      addresses.add(value);
      return '<cluster-ip>';
    }
    return byName(value, key, parent['generateName']) ?? text(value);
  };
  const list = (values: readonly unknown[], key: string): unknown => {
    if (key === 'columnDefinitions')
      return values.map((column) => walk({ ...fields(column), description: undefined }, '', {}));
    if (key === 'clusterIPs') return values.map((one) => (String(one).startsWith('10.') ? '<cluster-ip>' : one));
    return values.map((one) => walk(one, '', {}));
  };
  const walk = (value: unknown, key: string, parent: Record<string, unknown>): unknown => {
    if (typeof value === 'string') return string(value, key, parent);
    if (Array.isArray(value)) return list(value, key);
    if (typeof value !== 'object' || value === null) return value;
    const own = fields(value);
    return Object.fromEntries(
      Object.entries(own)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => [text(name), walk(one, name, own)]),
    );
  };
  return (value) => walk(value, '', {});
}

const fields = (value: unknown): Record<string, unknown> => ({ ...Object(value) });

/** The replacement for fields whose values always differ; undefined for others. */
function byName(value: string, key: string, generateName: unknown): string | undefined {
  if (key === 'resourceVersion' && value !== '' && value !== '0') return '<rv>';
  if (key === 'continue') return value === '' ? '' : '<continue>';
  const isGenerated = key === 'name' && new RegExp(`^.+-${suffix}$`).test(value);
  if (isGenerated && typeof generateName === 'string') return `${generateName}<suffix>`;
  return build.has(key) ? '<build>' : placeholders.get(key);
}

const placeholders: ReadonlyMap<string, string> = new Map([
  ['storageVersionHash', '<hash>'],
  ['serverAddress', '<address>'],
]);
