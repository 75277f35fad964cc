export type Tab = 'Explanation' | 'Webhooks' | 'Object' | 'Compare' | 'Orders' | 'Document';

/** Orders are tried by a server; a file has none. */
export const tabsOf = (hasOrders: boolean): readonly Tab[] => [
  'Explanation',
  'Webhooks',
  'Object',
  'Compare',
  ...(hasOrders ? (['Orders'] as const) : []),
  'Document',
];

export interface DetailBarProps {
  readonly tabs: readonly Tab[];
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** Where a trace file of the request can be had; undefined where there is none. */
  readonly fileUrl: string | undefined;
  readonly onClose: () => void;
}

/** The ways to look at the open request, and what can be done with it. */
export const DetailBar = ({ tabs, tab, onTab, fileUrl, onClose }: DetailBarProps) => (
  <div class="detail-bar">
    <div role="tablist" aria-label="Ways to look at the request">
      {tabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          class="tab"
          aria-selected={tab === name}
          aria-controls="detail-panel"
          onClick={() => onTab(name)}
        >
          {name}
        </button>
      ))}
    </div>
    <span class="spring" />
    {fileUrl !== undefined && (
      <a
        class="plain"
        href={fileUrl}
        download="kadmit-trace.html"
        title="Save this request as a file that any browser opens"
      >
        Save
      </a>
    )}
    <button type="button" class="plain" onClick={onClose} title="Close (Esc)" aria-label="Close the request">
      ✕
    </button>
  </div>
);
