import type { ColumnDefinition } from '../../../src/api/release/release.ts';

/** What a kind without a printer has. Follows apiserver pkg/registry/rest/table.go. */
const usual: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: 'name' },
  { name: 'Created At', type: 'date' },
];

/** Not printed by their printers. Follows kube-aggregator pkg/registry/apiservice/etcd/etcd.go and kubernetes
 * pkg/registry/storage/csistoragecapacity/storage/storage.go. */
const foreign: Readonly<Record<string, readonly ColumnDefinition[]>> = {
  'storage.CSIStorageCapacity': usual,
  'apiregistration.APIService': [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Service', type: 'string' },
    { name: 'Available', type: 'string' },
    { name: 'Age', type: 'string' },
  ],
};

/** Since 1.37. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
const ofDefinitions: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: 'name' },
  { name: 'Scope', type: 'string' },
  { name: 'Versions', type: 'string' },
  { name: 'Created At', type: 'date' },
  { name: 'Group', type: 'string', priority: 1 },
  { name: 'Kind', type: 'string', priority: 1 },
  { name: 'ShortNames', type: 'string', priority: 1 },
  { name: 'Established', type: 'boolean', priority: 1 },
];

interface Group {
  readonly group: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly { readonly name: string; readonly kind: string; readonly verbs: string }[];
  }[];
}

/** The columns of everything that can be listed, from those of Go's internal types as table-columns.go prints them. */
export function columnsOfResources(
  groups: readonly Group[],
  goTypes: Readonly<Record<string, string>>,
  {
    printed,
    minor,
  }: { readonly printed: Readonly<Record<string, readonly ColumnDefinition[]>>; readonly minor: number },
): Readonly<Record<string, readonly ColumnDefinition[]>> {
  const all = groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources
        .filter(({ verbs }) => verbs.split(' ').includes('list'))
        .map(({ name, kind }): [string, readonly ColumnDefinition[]] => {
          const type = goTypes[`${group === '' ? '' : `${group}/`}${version}/${kind}`] ?? '';
          // Internally an Event is of the core group in both of its groups.
          const internal = type.replace(/\.v\w+\./, '.').replace(/^events\./, 'core.');
          const definitions =
            internal === 'apiextensions.CustomResourceDefinition' && minor >= 37 ? ofDefinitions : undefined;
          return [`${group}/${version}/${name}`, definitions ?? foreign[internal] ?? printed[internal] ?? usual];
        }),
    ),
  );
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
