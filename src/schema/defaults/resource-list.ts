import { parseQuantity, quantityText, roundUpQuantity } from '../../apimachinery/quantity.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/**
 * A ResourceList whose quantities are whole thousandths, rounded up; only the suffixes n and u tell of finer ones.
 * Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_ResourceList.
 */
export const resourceList: Defaulter = (list) => {
  const isFine = Object.values(list).some((quantity) => typeof quantity === 'string' && fine.test(quantity));
  return isFine ? Object.fromEntries(Object.entries(list).map(([name, value]) => [name, rounded(value)])) : list;
};

const fine = /[nu]$|\.|e-/i;
const milli = -3;

function rounded(quantity: JsonValue | undefined): JsonValue | undefined {
  const reading = typeof quantity === 'string' ? parseQuantity(quantity) : undefined;
  return reading?.outcome === 'parsed' ? quantityText(roundUpQuantity(reading.quantity, milli)) : quantity;
}

/** `limits` and `requests` rounded. */
export const resourceRequirements = structDefaults({
  limits: inside(resourceList),
  requests: inside(resourceList),
});
