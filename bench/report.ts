import { type Cost, median, tableText } from "./cost.ts";
import type { PageTime } from "./measure-pages.ts";
import type { Run } from "./run-load.ts";
import { EMPTY_PATH, type Scenario } from "./scenarios.ts";

/** A run with what one request of it cost. */
export interface CostedRun extends Run, Cost {}

/** The medians of a scenario's runs. */
export interface Figures {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Median over the rounds of the rate divided by that of the empty route in the same round. */
  readonly ratio: number;
  /** Processor time of the service and of the database, and bytes of the database's log, each of one request. */
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly walBytes: number;
}

export interface Report {
  readonly settings: Readonly<Record<string, string>>;
  readonly figures: readonly Figures[];
  readonly pages: readonly PageTime[];
}

export function figuresOf(runs: ReadonlyMap<Scenario, readonly CostedRun[]>): Figures[] {
  const empties = [...runs].filter(([scenario]) => scenario.path === EMPTY_PATH);
  return [...runs].map(([scenario, own]) => {
    const base = empties.find(([empty]) => empty.connections === scenario.connections)?.[1] ?? own;
    return {
      name: scenario.name,
      perSecond: median(own.map((run) => run.perSecond)),
      p50Ms: median(own.map((run) => run.p50Ms)),
      p99Ms: median(own.map((run) => run.p99Ms)),
      ratio: median(own.map((run, i) => run.perSecond / (base[i] ?? run).perSecond)),
      serviceUs: median(own.map((run) => run.serviceUs)),
      databaseUs: median(own.map((run) => run.databaseUs)),
      walBytes: median(own.map((run) => run.walBytes)),
    };
  });
}

export function reportText({ settings, figures, pages }: Report): string {
  const rows = [
    ["", "requests/s", "p50 ms", "p99 ms", "of the empty route", "service us", "database us", "WAL B"],
    ...figures.map((f) => [
      f.name,
      Math.round(f.perSecond).toLocaleString("en"),
      f.p50Ms.toFixed(2),
      f.p99Ms.toFixed(2),
      f.ratio.toFixed(2),
      f.serviceUs.toFixed(0),
      f.databaseUs.toFixed(0),
      f.walBytes.toFixed(0),
    ]),
  ];
  const reads = [["", "p50 ms"], ...pages.map((page) => [page.name, page.p50Ms.toFixed(2)])];
  const names = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return `${names.join(", ")}\n\n${tableText(rows)}\n\n${tableText(reads)}\n`;
}
