import type { LimitedResource } from '../../quota/limited-resource.ts';

/** What plugins are told by flags and by --admission-control-config-file. */
export interface PluginSettings {
  /** ResourceQuota: what nobody may use without a quota that covers it. */
  readonly limitedResources: readonly LimitedResource[];
}

/** As without flags and files. */
export const defaultSettings: PluginSettings = { limitedResources: [] };
