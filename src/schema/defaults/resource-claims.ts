import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

type Version = 'v1' | 'v1beta2' | 'v1beta1';

const count = (value: JsonValue | undefined, { allocationMode }: JsonObject): JsonValue | undefined =>
  value ?? ((allocationMode ?? 'ExactCount') === 'ExactCount' ? 1 : undefined);

const exactRequest = {
  allocationMode: 'ExactCount',
  count,
  tolerations: each(structDefaults({ operator: 'Equal' })),
};

/** A request of v1beta1 is its own exact request, unless it only offers alternatives. */
const flatRequest = structDefaults({
  allocationMode: (value, request) => value ?? (isExact(request) ? 'ExactCount' : undefined),
  count: (value, request) => (isExact(request) ? count(value, request) : value),
  tolerations: exactRequest.tolerations,
  firstAvailable: each(structDefaults(exactRequest)),
});

const isExact = ({ deviceClassName }: JsonObject): boolean => deviceClassName !== undefined && deviceClassName !== '';

const request = structDefaults({
  exactly: inside(structDefaults(exactRequest)),
  firstAvailable: each(structDefaults(exactRequest)),
});

const claimSpec = (version: Version): Defaulter =>
  structDefaults({
    devices: inside(
      structDefaults({
        requests: each(version === 'v1beta1' ? flatRequest : request),
      }),
    ),
  });

/** Follows kubernetes pkg/apis/resource/v…/defaults.go SetDefaults_ExactDeviceRequest and SetDefaults_DeviceRequest. */
export const resourceClaim = (version: Version): Defaulter => structDefaults({ spec: inside(claimSpec(version)) });

export const resourceClaimTemplate = (version: Version): Defaulter =>
  structDefaults({
    spec: inside(structDefaults({ spec: inside(claimSpec(version)) })),
  });
