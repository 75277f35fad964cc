import type { Catalogue, ResourceInfo } from '../schema/catalogue.ts';

/** Remembers what `make` makes of the catalogue's rows for each key until the rows change. */
export function perCatalogue<Made>(
  catalogue: Catalogue,
  make: (rows: readonly ResourceInfo[], key: string) => Made,
): (key: string) => Made {
  let made = new Map<string, Made>();
  let madeOf: readonly ResourceInfo[] = [];
  return (key) => {
    const rows = catalogue.all();
    if (rows !== madeOf) made = new Map();
    madeOf = rows;
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(rows, key);
    made.set(key, fresh);
    return fresh;
  };
}
