import { each, inside, structDefaults, type Defaulter } from './struct-defaults.ts';
import type * as v1beta1 from '../../types/generated/resource-v1beta1.ts';
import type {
  DeviceClaim,
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceClaimTemplateSpec,
} from '../../types/generated/resource-v1.ts';

type Version = 'v1' | 'v1beta2' | 'v1beta1';

const count = <N>(value: N, { allocationMode }: ExactDeviceRequest): N | 1 | undefined =>
  value ?? ((allocationMode ?? 'ExactCount') === 'ExactCount' ? 1 : undefined);

const exactRequest = {
  allocationMode: 'ExactCount',
  count,
  tolerations: each(structDefaults<DeviceToleration>({ operator: 'Equal' })),
};

/** A v1beta1 request is its own exact request unless it only has alternatives. */
const flatRequest = structDefaults<v1beta1.DeviceRequest>({
  allocationMode: (value, request) => value ?? (isExact(request) ? 'ExactCount' : undefined),
  count: (value, request) => (isExact(request) ? count(value, request) : value),
  tolerations: exactRequest.tolerations,
  firstAvailable: each(structDefaults<DeviceSubRequest>(exactRequest)),
});

const isExact = ({ deviceClassName }: v1beta1.DeviceRequest): boolean =>
  deviceClassName !== undefined && deviceClassName !== '';

const request = structDefaults<DeviceRequest>({
  exactly: inside(structDefaults<ExactDeviceRequest>(exactRequest)),
  firstAvailable: each(structDefaults<DeviceSubRequest>(exactRequest)),
});

const claimSpec = (version: Version): Defaulter<ResourceClaimSpec> =>
  structDefaults<ResourceClaimSpec>({
    devices: inside(
      structDefaults<DeviceClaim>({
        requests: each(version === 'v1beta1' ? flatRequest : request),
      }),
    ),
  });

/** Follows kubernetes pkg/apis/resource/v…/defaults.go SetDefaults_ExactDeviceRequest and SetDefaults_DeviceRequest. */
export const resourceClaim = (version: Version): Defaulter<ResourceClaim> =>
  structDefaults<ResourceClaim>({ spec: inside(claimSpec(version)) });

export const resourceClaimTemplate = (version: Version): Defaulter<ResourceClaimTemplate> =>
  structDefaults<ResourceClaimTemplate>({
    spec: inside(structDefaults<ResourceClaimTemplateSpec>({ spec: inside(claimSpec(version)) })),
  });
