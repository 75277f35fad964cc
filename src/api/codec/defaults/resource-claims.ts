import { defaultEach, ifPresent, structDefaults, type Defaulter } from './struct-defaults.ts';
import type * as v1beta1 from '../../types/generated/resource-v1beta1.ts';
import type * as resource from '../../types/generated/resource-v1.ts';

type Version = 'v1' | 'v1beta2' | 'v1beta1';

const defaultCount = <N>(value: N, { allocationMode }: resource.ExactDeviceRequest): N | 1 | undefined =>
  value ?? ((allocationMode ?? 'ExactCount') === 'ExactCount' ? 1 : undefined);

const exactRequest = {
  allocationMode: 'ExactCount',
  count: defaultCount,
  tolerations: defaultEach(structDefaults<resource.DeviceToleration>({ operator: 'Equal' })),
};

/** A v1beta1 request is its own exact request unless it only has alternatives. */
const flatRequest = structDefaults<v1beta1.DeviceRequest>({
  allocationMode: (value, request) => value ?? (isExact(request) ? 'ExactCount' : undefined),
  count: (value, request) => (isExact(request) ? defaultCount(value, request) : value),
  tolerations: exactRequest.tolerations,
  firstAvailable: defaultEach(structDefaults<resource.DeviceSubRequest>(exactRequest)),
});

const isExact = ({ deviceClassName }: v1beta1.DeviceRequest): boolean =>
  deviceClassName !== undefined && deviceClassName !== '';

const request = structDefaults<resource.DeviceRequest>({
  exactly: ifPresent(structDefaults<resource.ExactDeviceRequest>(exactRequest)),
  firstAvailable: defaultEach(structDefaults<resource.DeviceSubRequest>(exactRequest)),
});

const createClaimSpecDefaults = (version: Version): Defaulter<resource.ResourceClaimSpec> =>
  structDefaults<resource.ResourceClaimSpec>({
    devices: ifPresent(
      structDefaults<resource.DeviceClaim>({
        requests: defaultEach(version === 'v1beta1' ? flatRequest : request),
      }),
    ),
  });

/** Follows kubernetes pkg/apis/resource/v…/defaults.go SetDefaults_ExactDeviceRequest and SetDefaults_DeviceRequest. */
export const createClaimDefaults = (version: Version): Defaulter<resource.ResourceClaim> =>
  structDefaults<resource.ResourceClaim>({ spec: ifPresent(createClaimSpecDefaults(version)) });

export const createClaimTemplateDefaults = (version: Version): Defaulter<resource.ResourceClaimTemplate> =>
  structDefaults<resource.ResourceClaimTemplate>({
    spec: ifPresent(
      structDefaults<resource.ResourceClaimTemplateSpec>({ spec: ifPresent(createClaimSpecDefaults(version)) }),
    ),
  });
