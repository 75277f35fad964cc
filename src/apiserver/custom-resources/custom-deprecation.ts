import { compareVersionNames } from '../../machinery/meta/version-order.ts';
import { apiVersionOf } from '../../machinery/meta/gvk.ts';
import { asString } from '../../machinery/json/json.ts';
import type { CustomVersion } from './custom-row.ts';
import { groupOf, versionsOf, wantedNames } from './definition.ts';

/** What every request for a version is warned of that its definition calls deprecated. Follows customresource_handler.go. */
export function customDeprecation({ definition, version }: CustomVersion): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const { deprecationWarning } = version;
  if (typeof deprecationWarning === 'string') return deprecationWarning;
  const group = groupOf(definition);
  const { kind } = wantedNames(definition);
  const own = asString(version['name']);
  const [newest] = versionsOf(definition)
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map(({ name }) => asString(name))
    .filter((name) => compareVersionNames(own, name) < 0)
    .toSorted((a, b) => compareVersionNames(b, a));
  const text = `${apiVersionOf({ group, version: own })} ${kind} is deprecated`;
  return newest === undefined ? text : `${text}; use ${apiVersionOf({ group, version: newest })} ${kind}`;
}
