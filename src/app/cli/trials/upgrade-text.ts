import { relative } from 'node:path';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { UpgradeReport } from '../../../analysis/trials/upgrade.ts';
import type { UpgradeDifference } from '../../../analysis/trials/upgrade-difference.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What an upgrade changes, for people: by release, then by request. What both refuse in other words is counted. */
export function upgradeText({ releases, requests, differences, leftOut }: UpgradeReport, terminal: Terminal): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  const [from = '', to = ''] = [releases[0], releases.at(-1)];
  const many = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  if (differences.length === 0) page.item(`${many}: ${to} answers as ${from} does`, 'good', 0);
  for (const release of releases) {
    const own = differences.filter(({ since }) => since === release);
    if (own.length === 0) continue;
    page.line(`since ${release}`, 'strong');
    for (const group of byRequest(own.filter(({ kind }) => kind !== 'message'))) requestLines(page, group);
    const reworded = byRequest(own.filter(({ kind }) => kind === 'message')).length;
    if (reworded > 0) page.item(`${reworded} refused as before, in other words (-o json has them)`, 'quiet');
    page.line('');
  }
  for (const [why, count] of Object.entries(leftOut)) page.item(`left out: ${count} × ${why}`, 'quiet', 0);
  if (differences.length > 0) page.line(`${many}, ${differences.length} differences from ${from} to ${to}`);
  return page.text().trimEnd();
}

/** A place below the current folder as people write it. */
function fromHere(place: string): string {
  const path = relative('', place);
  return path.startsWith('..') ? place : path;
}

function byRequest(differences: readonly UpgradeDifference[]): readonly (readonly UpgradeDifference[])[] {
  const groups = new Map<string, UpgradeDifference[]>();
  for (const one of differences) {
    const key = `${one.place ?? ''} ${one.request}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function requestLines(page: ReturnType<typeof createPage>, group: readonly UpgradeDifference[]): void {
  const [first] = group;
  if (!first) return;
  page.item(`${first.request}${first.place === undefined ? '' : ` (${fromHere(first.place)})`}`, 'strong');
  for (const { kind, text, note } of group) {
    page.item(text, kind === 'refused' || kind === 'removed' ? 'bad' : 'warn', 4);
    if (note) page.item(`${note.text} (${note.source})`, 'quiet', 6);
  }
}
