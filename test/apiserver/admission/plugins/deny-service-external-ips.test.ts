import { expect, test } from 'vitest';
import { denyServiceExternalIPs } from '../../../../src/apiserver/admission/plugins/deny-service-external-ips.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const service = (externalIPs: readonly string[]): KubernetesObject =>
  object('v1', 'Service', 's', { spec: { externalIPs } });

// Source: kubernetes plugin/pkg/admission/denyserviceexternalips/admission_test.go
test.each<[fact: string, old: readonly string[] | undefined, addresses: readonly string[], isDenied: boolean]>([
  ['an address', undefined, ['1.2.3.4'], true],
  ['not an address that the Service has', ['1.2.3.4', '5.6.7.8'], ['5.6.7.8'], false],
  ['an address beside it', ['1.2.3.4'], ['1.2.3.4', '5.6.7.8'], true],
])('denies %s', (_fact, old, addresses, isDenied) => {
  const create = creating(service(addresses), 'services');
  const request = old ? { ...create, operation: 'UPDATE' as const, oldObject: service(old) } : create;
  const denied = 'services "s" is forbidden: Use of external IPs is denied by admission control';
  const outcome = outcomeOf(denyServiceExternalIPs, 'validate', { request, cluster: clusterOf({}), path: ['kind'] });
  expect(outcome).toBe(isDenied ? denied : 'Service');
});
