import type { FieldReader, Fields } from '../../../machinery/meta/decode-fields.ts';
import { fieldErrorText, required } from '../../../machinery/meta/field-error.ts';
import type { LimitedResource } from '../../quota/limited-resource.ts';
import type { ScopeRequirement } from '../../quota/scope.ts';
import { listText } from './complaint-list.ts';
import { read, readConfiguration, unreadable } from './configuration-document.ts';
import type { ConfigurationKind, Reading } from './configuration-document.ts';

const kind: ConfigurationKind = {
  names: [
    ['apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration'],
    ['resourcequota.admission.k8s.io/v1beta1', 'Configuration'],
    ['resourcequota.admission.k8s.io/v1alpha1', 'Configuration'],
  ],
  scheme: 'k8s.io/apiserver/pkg/admission/plugin/resourcequota/config.go:32',
};

/** The configuration of ResourceQuota. Follows apiserver pkg/admission/plugin/resourcequota/apis/resourcequota. */
export function readLimitedResources(text: string): Reading<readonly LimitedResource[]> {
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'limitedResources'], '');
    const place = { struct: 'ResourceQuotaConfiguration', path: '' };
    return reader.objects(fields, 'limitedResources', place, 'v1.LimitedResource').map(limitedIn(reader));
  });
  if (!decoded.ok) return decoded;
  const errors = decoded.value.flatMap(({ resource }, index) =>
    resource.resource === '' ? [required(`limitedResources[${index}].resource`, '')] : [],
  );
  return errors.length > 0 ? unreadable(listText(errors.map(fieldErrorText))) : read(decoded.value);
}

const limitedIn =
  (reader: FieldReader) =>
  (fields: Fields, index: number): LimitedResource => {
    const at = `limitedResources[${index}]`;
    reader.only(fields, ['apiGroup', 'resource', 'matchContains', 'matchScopes'], at);
    const place = { struct: 'LimitedResource', path: 'limitedResources' };
    const scopes = reader.objects(fields, 'matchScopes', place, 'v1.ScopedResourceSelectorRequirement');
    return {
      resource: {
        group: reader.text(fields, 'apiGroup', place),
        resource: reader.text(fields, 'resource', place),
      },
      matchContains: reader.texts(fields, 'matchContains', place),
      matchScopes: scopes.map((scope, number) => scopeIn(reader, scope, `${at}.matchScopes[${number}]`)),
    };
  };

function scopeIn(reader: FieldReader, fields: Fields, at: string): ScopeRequirement {
  reader.only(fields, ['scopeName', 'operator', 'values'], at);
  const place = { struct: 'ScopedResourceSelectorRequirement', path: 'limitedResources.matchScopes' };
  return {
    scopeName: reader.text(fields, 'scopeName', place),
    operator: reader.text(fields, 'operator', place),
    values: reader.texts(fields, 'values', place),
  };
}
