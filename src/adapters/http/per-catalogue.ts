import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';

/** Remembers what `make` makes for each key until the catalogue changes. */
export function perCatalogue<Made>(catalogue: Catalogue, make: (key: string) => Made): (key: string) => Made {
  let made = new Map<string, Made>();
  let madeOf = catalogue.all();
  return (key) => {
    const rows = catalogue.all();
    if (rows !== madeOf) made = new Map();
    madeOf = rows;
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
