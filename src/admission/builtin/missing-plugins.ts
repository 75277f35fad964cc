import { builtinNames } from './builtin-plugins.ts';
import { admissionPlugins } from './plugin-order.ts';

/** Plugins that ask webhooks or policies; they live in rooms of their own. */
const calling = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];

/** The names that the flags know and kadmit has no plugin for. */
export const missingPlugins: readonly string[] = admissionPlugins.inOrder.filter(
  (name) => !builtinNames.has(name) && !calling.includes(name),
);
