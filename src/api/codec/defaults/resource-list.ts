import { mapFields } from '../../../machinery/meta/map-fields.ts';
import { parseQuantity, quantityText, roundUpQuantity } from '../../../machinery/meta/quantity.ts';
import { inside, structDefaults, type Defaulter } from './struct-defaults.ts';
import type { ResourceRequirements } from '../../types/generated/core-v1.ts';

/**
 * Quantities are rounded up to thousandths. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_ResourceList.
 */
export type ResourceList = { readonly [name: string]: string };

export const resourceList: Defaulter<ResourceList> = (list) => {
  const names = Object.keys(list);
  if (!names.some((name) => typeof list[name] === 'string' && fine.test(list[name]))) return list;
  return mapFields(names, (name) => rounded(list[name]));
};

const fine = /[nu]$|\.|e-/i;
const milli = -3;

function rounded(quantity: string | undefined): string | undefined {
  const reading = typeof quantity === 'string' ? parseQuantity(quantity) : undefined;
  return reading?.outcome === 'parsed' ? quantityText(roundUpQuantity(reading.quantity, milli)) : quantity;
}

export const resourceRequirements = structDefaults<ResourceRequirements>({
  limits: inside(resourceList),
  requests: inside(resourceList),
});
