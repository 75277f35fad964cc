import { stringify } from 'yaml';
import type { JsonValue } from '../../../machinery/json/json.ts';

/** Without folding. */
export const yamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** Fields in alphabetical order, so that only values differ. */
export const sortedYamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: true });
