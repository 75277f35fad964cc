import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { deny, byRule } from '../chain/refusal.ts';
import { pass } from './handled-resource.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** Admits everything. Follows apiserver pkg/admission/plugin/alwaysadmit (rule PLG-27). */
export const alwaysAdmit: SyncPlugin = { name: 'AlwaysAdmit', operations, mutate: pass, validate: pass };

/** Denies everything. Follows kubernetes plugin/pkg/admission/deny/admission.go (rule PLG-27). */
export const alwaysDenyPlugin: SyncPlugin = { name: 'AlwaysDeny', operations, mutate: denyAll, validate: denyAll };

function denyAll(request: AdmissionAttributes): ReturnType<typeof deny> {
  const source = byRule('every write', 'no value while --enable-admission-plugins has AlwaysDeny');
  return deny(request, 'admission control is denying all modifications', source);
}
