import { stringify } from 'yaml';
import type { JsonValue } from '../../../machinery/json/json.ts';

/** A value as YAML, without folding, for diffs and goldens. */
export const yamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** The same with the fields in alphabetical order, so that only values differ. */
export const sortedYamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: true });
