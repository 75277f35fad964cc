import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { deny, byRule } from '../chain/refusal.ts';
import { forResource, pass } from './handled-resource.ts';
import type { Service } from '../../../api/types/generated/core-v1.ts';

/**
 * Denies new external IPs of Services. Follows kubernetes
 * plugin/pkg/admission/network/denyserviceexternalips/admission.go (rule PLG-27).
 */
export const denyServiceExternalIPs: SyncPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  validate: forResource({ group: '', resource: 'services' }, (request) => {
    const old = new Set(request.oldObject === null ? [] : externalIps(request.oldObject));
    if (externalIps(request.object).every((address) => old.has(address))) return pass(request);
    return deny(
      request,
      'Use of external IPs is denied by admission control',
      byRule('spec.externalIPs', 'no address that the Service does not have already'),
    );
  }),
};

const externalIps = (service: Service): readonly string[] => asList(asObject(service.spec).externalIPs).map(asString);
