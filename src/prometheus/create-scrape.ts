import type { Metric, Registry } from "prom-client";
import project from "../../package.json" with { type: "json" };
import type { Deps } from "../deps.ts";
import { createStoreReader } from "./create-store-reader.ts";
import { FAMILIES, type Family, type Sample } from "./families.ts";
import { processSamples } from "./process-samples.ts";

/** The response to a scrape. */
export interface Scraped {
  readonly contentType: string;
  readonly text: string;
}

export type Scrape = () => Promise<Scraped>;

/** The timer interval for measuring the delay of the event loop. */
const LAG_PRECISION_MS = 20;

/**
 * Returns a function that answers a scrape in the text format of Prometheus. Simultaneous scrapes share one result. The first scrape loads
 * prom-client and its metrics of Node.
 */
export function createScrape(deps: Pick<Deps, "config" | "db" | "reads" | "clock" | "log" | "instruments">): Scrape {
  const readStore = createStoreReader(deps);
  let samples: readonly Sample[] = [];
  let registry: Promise<Registry> | undefined;
  let scraping: Promise<Scraped> | undefined;

  async function scrape(): Promise<Scraped> {
    registry ??= openRegistry(() => samples);
    const made = await registry;
    const [own, ofStore] = await Promise.all([processSamples(deps, project.version), readStore()]);
    samples = [...own, ...ofStore];
    return { contentType: made.contentType, text: await made.metrics() };
  }

  return () => {
    scraping ??= scrape().finally(() => {
      scraping = undefined;
    });
    return scraping;
  };
}

async function openRegistry(samples: () => readonly Sample[]): Promise<Registry> {
  const { default: client } = await import("prom-client");
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  for (const [name, family] of Object.entries(FAMILIES)) registry.registerMetric(metricOf(name, family, samples));
  return registry;
}

/** A metric for the registry, whose values are counted elsewhere. */
function metricOf(name: string, { type, help }: Family, samples: () => readonly Sample[]): Metric<string> {
  const get = async () => ({
    name,
    help,
    type,
    aggregator: "sum",
    values: samples()
      .filter(({ family }) => family === name)
      .map(({ labels, value, line }) => ({ labels, value, metricName: line ?? name })),
  });
  return { name, help, type, get } as unknown as Metric<string>; // cast: the registry reads only the name and the result of `get`
}
