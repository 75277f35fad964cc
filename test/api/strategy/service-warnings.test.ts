import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { serviceWarnings } from '../../../src/api/strategy/services.ts';
import { object } from '../../harness/builtin-plugin.ts';

const headless = { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'None' };

// Source: kubernetes pkg/api/service/warnings_test.go
const facts: readonly [spec: JsonObject, warnings: readonly string[]][] = [
  [{ type: 'ClusterIP', sessionAffinity: 'None' }, []],
  [{ externalIPs: ['1.2.3.4'] }, ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']],
  [headless, []],
  [
    { ...headless, loadBalancerIP: '1.2.3.4', externalIPs: ['1.2.3.4'], sessionAffinity: 'ClientIP' },
    [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ],
  ],
  [
    { type: 'ExternalName', externalName: 'a.example.com', externalIPs: ['1.2.3.4'] },
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
  [{ externalName: 'a.example.com' }, ['spec.externalName is ignored when spec.type is not "ExternalName"']],
  [
    { trafficDistribution: 'PreferClose' },
    ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ],
];
test.each(facts)('a Service with %j warns of %j', (spec, warnings) => {
  expect(serviceWarnings(object('v1', 'Service', 's', { spec }))).toEqual(warnings);
});
