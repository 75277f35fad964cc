import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { dns1035Label } from '../../../machinery/meta/names.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import {
  validateWebhookService,
  validateWebhookUrl,
} from '../../validation/admissionregistration/webhook-client-config.ts';

const strategies = ['None', 'Webhook'];
const knownReviews = ['v1', 'v1beta1'];

/**
 * `needsKnown`: one ConversionReview version must be supported. Field names of the internal form. Follows
 * apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go validateCustomResourceConversion.
 */
export function conversionErrors(
  conversion: JsonObject | undefined,
  path: string,
  needsKnown: boolean,
): readonly FieldError[] {
  if (conversion === undefined) return [];
  const strategy = asString(conversion['strategy']);
  const { clientConfig, conversionReviewVersions: reviews } = asObject(conversion['webhook']);
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(`${path}.strategy`, ''));
  else if (!strategies.includes(strategy)) errors.push(notSupported(`${path}.strategy`, strategy, strategies));
  if (strategy === 'Webhook') {
    const client = isJsonObject(clientConfig) ? clientConfig : undefined;
    return [
      ...errors,
      ...clientErrors(client, `${path}.webhookClientConfig`),
      ...reviewErrors(asList(reviews).map(asString), `${path}.conversionReviewVersions`, needsKnown),
    ];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (isJsonObject(clientConfig)) errors.push(forbiddenField(`${path}.webhookClientConfig`, detail));
  if (asList(reviews).length > 0) errors.push(forbiddenField(`${path}.conversionReviewVersions`, detail));
  return errors;
}

function clientErrors(client: JsonObject | undefined, path: string): readonly FieldError[] {
  if (client === undefined) return [required(path, 'required when strategy is set to Webhook')];
  const { url, service } = client;
  const hasUrl = typeof url === 'string';
  if (hasUrl === isJsonObject(service)) return [required(path, 'exactly one of url or service is required')];
  return hasUrl ? validateWebhookUrl(url, `${path}.url`) : validateWebhookService(asObject(service), `${path}.service`);
}

function reviewErrors(versions: readonly string[], path: string, needsKnown: boolean): readonly FieldError[] {
  if (versions.length === 0) return [required(path, '')];
  const repeats = repeatsIn(versions);
  const errors = versions.flatMap((version, index) => {
    const at = `${path}[${index}]`;
    if (repeats.has(index)) return [invalidValue(at, version, 'duplicate version')];
    return dns1035Label(version).map((error) => invalidValue(at, version, error));
  });
  if (!needsKnown || hasKnownReview(versions)) return errors;
  return [...errors, invalidValue(path, versions, `must include at least one of ${knownReviews.join(', ')}`)];
}

export const hasKnownReview = (versions: readonly string[]): boolean =>
  versions.some((version) => knownReviews.includes(version));
