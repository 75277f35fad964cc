import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

type Version = 'v1' | 'v1beta2' | 'v1beta1';

const count = (value: JsonValue | undefined, { allocationMode }: JsonObject): JsonValue | undefined =>
  value ?? ((allocationMode ?? 'ExactCount') === 'ExactCount' ? 1 : undefined);

const countOf = (version: Version) => ({
  allocationMode: 'ExactCount',
  count,
  tolerations: each(structDefaults(`resource.${version}.DeviceToleration`, { operator: 'Equal' })),
});

/** A request of v1beta1 is its own exact request, unless it only offers alternatives. */
function flatRequest(): Defaulter {
  const { tolerations } = countOf('v1beta1');
  const isExact = ({ deviceClassName }: JsonObject): boolean => deviceClassName !== undefined && deviceClassName !== '';
  return structDefaults('resource.v1beta1.DeviceRequest', {
    allocationMode: (value, request) => value ?? (isExact(request) ? 'ExactCount' : undefined),
    count: (value, request) => (isExact(request) ? count(value, request) : value),
    tolerations,
    firstAvailable: each(structDefaults('resource.v1beta1.DeviceSubRequest', countOf('v1beta1'))),
  });
}

const request = (version: 'v1' | 'v1beta2'): Defaulter =>
  structDefaults(`resource.${version}.DeviceRequest`, {
    exactly: inside(structDefaults(`resource.${version}.ExactDeviceRequest`, countOf(version))),
    firstAvailable: each(structDefaults(`resource.${version}.DeviceSubRequest`, countOf(version))),
  });

const claimSpec = (version: Version): Defaulter =>
  structDefaults(`resource.${version}.ResourceClaimSpec`, {
    devices: inside(
      structDefaults(`resource.${version}.DeviceClaim`, {
        requests: each(version === 'v1beta1' ? flatRequest() : request(version)),
      }),
    ),
  });

/** Follows kubernetes pkg/apis/resource/v…/defaults.go SetDefaults_ExactDeviceRequest and SetDefaults_DeviceRequest. */
export const resourceClaim = (version: Version): Defaulter =>
  structDefaults(`resource.${version}.ResourceClaim`, { spec: inside(claimSpec(version)) });

export const resourceClaimTemplate = (version: Version): Defaulter =>
  structDefaults(`resource.${version}.ResourceClaimTemplate`, {
    spec: inside(structDefaults(`resource.${version}.ResourceClaimTemplateSpec`, { spec: inside(claimSpec(version)) })),
  });
