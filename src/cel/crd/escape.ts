const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const sequences: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The identifiers by which expressions find a property. `namespace` may also be written as it is. */
export function expressedNames(name: string): readonly string[] {
  const escaped = escapeName(name);
  if (escaped === undefined) return [];
  return name === 'namespace' ? [escaped, name] : [escaped];
}

/**
 * The identifier under which an expression finds a property: `foo-bar` is `foo__dash__bar`, `namespace` is
 * `__namespace__`. Undefined for a name that no expression can reach. Follows apiserver pkg/cel/escaping.go.
 */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (found) => sequences[found] ?? found);
}
