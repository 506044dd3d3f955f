import { type Cost, median, tableText } from "./cost.ts";
import type { PageTime } from "./measure-pages.ts";
import type { Run } from "./run-load.ts";
import { EMPTY_PATH, type Scenario } from "./scenarios.ts";

/** A run with the cost of one request. */
export interface CostedRun extends Run, Cost {
  /** Processor time of the receiver per request; 0 if nothing is delivered. */
  readonly receiverUs: number;
}

/** The medians of a scenario's runs. */
export interface Figures {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Medians over the rounds of the rate divided by that of the bare route, and of the empty one, in the same round. */
  readonly ofBare: number;
  readonly ofEmpty: number;
  /** Per request: processor time of the service and of the database, and bytes of the database's log. */
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly walBytes: number;
  /** Of the receiver of deliveries, which is not part of the service; 0: there was none. */
  readonly receiverUs: number;
  /** The share of the machine that was idle. */
  readonly idle: number;
  /** The median of its p99 divided by that of the empty route in the same round. */
  readonly p99OfEmpty: number;
}

export interface Report {
  readonly settings: Readonly<Record<string, string>>;
  readonly figures: readonly Figures[];
  /** The median of successive bare commits with the same driver. */
  readonly commitP50Ms: number;
  readonly pages: readonly PageTime[];
}

export function figuresOf(runs: ReadonlyMap<Scenario, readonly CostedRun[]>): Figures[] {
  const base = (isBase: (scenario: Scenario) => boolean, { connections }: Scenario) =>
    [...runs].find(([scenario]) => isBase(scenario) && scenario.connections === connections)?.[1];
  return [...runs].map(([scenario, own]) => {
    const ratioTo = (
      isBase: (scenario: Scenario) => boolean,
      pick: (run: CostedRun) => number = (run) => run.perSecond,
    ) => {
      const of = base(isBase, scenario) ?? own;
      return median(own.map((run, i) => pick(run) / pick(of[i] ?? run)));
    };
    return {
      name: scenario.name,
      perSecond: median(own.map((run) => run.perSecond)),
      p50Ms: median(own.map((run) => run.p50Ms)),
      p99Ms: median(own.map((run) => run.p99Ms)),
      ofBare: ratioTo(({ isBare }) => isBare),
      ofEmpty: ratioTo(({ path }) => path === EMPTY_PATH),
      serviceUs: median(own.map((run) => run.serviceUs)),
      databaseUs: median(own.map((run) => run.databaseUs)),
      walBytes: median(own.map((run) => run.walBytes)),
      receiverUs: median(own.map((run) => run.receiverUs)),
      idle: median(own.map((run) => run.idle)),
      p99OfEmpty: ratioTo(
        ({ path }) => path === EMPTY_PATH,
        (run) => run.p99Ms,
      ),
    };
  });
}

export function reportText({ settings, figures, commitP50Ms, pages }: Report): string {
  const rows = [
    [
      "",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "of bare",
      "of empty",
      "p99 of empty",
      "idle %",
      "service us",
      "database us",
      "WAL B",
      "receiver us",
    ],
    ...figures.map((f) => [
      f.name,
      Math.round(f.perSecond).toLocaleString("en"),
      f.p50Ms.toFixed(2),
      f.p99Ms.toFixed(2),
      f.ofBare.toFixed(2),
      f.ofEmpty.toFixed(2),
      f.p99OfEmpty.toFixed(2),
      (f.idle * 100).toFixed(0),
      f.serviceUs.toFixed(0),
      f.databaseUs.toFixed(0),
      f.walBytes.toFixed(0),
      f.receiverUs === 0 ? "" : f.receiverUs.toFixed(0),
    ]),
  ];
  const p50MsOf = (wanted: string) => figures.find(({ name }) => name === wanted)?.p50Ms;
  const lone = p50MsOf("awards, 1");
  // the cost of an award without HTTP is compared with a bare commit
  const ofCommit = (ms: number) => (ms / commitP50Ms).toFixed(2);
  const commits = `a bare commit of one row: p50 ${commitP50Ms.toFixed(2)} ms${
    lone === undefined
      ? ""
      : `; one award after the other takes ${ofCommit(lone)} times that, ${ofCommit(lone - (p50MsOf("empty route, 1") ?? 0))} without its empty route`
  }`;
  const reads = [["", "p50 ms"], ...pages.map((page) => [page.name, page.p50Ms.toFixed(2)])];
  const names = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return `${names.join(", ")}\n\n${tableText(rows)}\n\n${commits}\n\n${tableText(reads)}\n`;
}
