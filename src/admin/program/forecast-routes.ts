import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { type CampaignForecast, type ForecastSums, forecastCampaign } from "../../orders/forecast/forecast-campaign.ts";
import { invalid } from "../../problems.ts";
import { applyProgram } from "../../program/apply-program.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { formatInstant, parseInstant } from "../../time/store-time.ts";
import { SCAN_BRIEFLY } from "../customers/queries.ts";
import { forecastAnswer, forecastBody, type ShownForecast } from "./forecast-schema.ts";

const config = { permission: "program.change" } as const;
/** The time limit for replaying orders; what was replayed by then is extrapolated. */
const LOOK_MS = 3_000;

/** Routes of a forecast of a draft's campaign, from the orders of the last comparable days. */
export function forecastRoutes(app: App, deps: Deps): void {
  app.post(
    "/program/forecast",
    { config, schema: { hide: true, body: forecastBody, response: { 200: forecastAnswer } } },
    async ({ body }) => {
      const forecast = await forecastDraft(deps, body);
      return { data: forecastView(forecast.forecast, forecast.program) };
    },
  );
}

interface Forecast {
  readonly forecast: CampaignForecast;
  readonly program: Program;
}

interface DraftInput {
  readonly document: unknown;
  readonly base_version: number;
  readonly starts_at: string;
}

/** Throws `invalid` with every fault of the draft, `program_changed`. */
async function forecastDraft(deps: Deps, { document, base_version, starts_at }: DraftInput): Promise<Forecast> {
  const until = performance.now() + LOOK_MS;
  const forecastOf = async (tx: Parameters<typeof forecastCampaign>[0], program: Program): Promise<Forecast> => {
    const { timeZone } = program.store;
    const start = parseInstant(starts_at, { timeZone, edge: "start" });
    const chosen = program.campaigns.find(({ startsAt }) => start?.equals(startsAt));
    if (chosen === undefined) throw invalid("/starts_at", "expected the start of a campaign of the document");
    await tx.execute(SCAN_BRIEFLY);
    const isOver = () => performance.now() >= until;
    return { program, forecast: await forecastCampaign(tx, deps, { program, campaign: chosen }, isOver) };
  };
  const applied = await applyProgram(deps, {
    ...{ document, baseVersion: base_version, validFrom: null, author: "preview", isDryRun: true },
    movers: (tx, { after }) => forecastOf(tx, after),
  });
  // The draft changes nothing, so the campaign is one of the present program.
  return applied.movers ?? deps.db.snapshot(async (tx) => forecastOf(tx, await readProgram(tx)));
}

function forecastView(forecast: CampaignForecast, { coupons }: Program): ShownForecast {
  const { days, ordersOfDays, lookedAt, scale, tiers } = forecast;
  const sums = scaled(forecast, scale);
  return {
    ...sums,
    from: formatInstant(days.start),
    to: formatInstant(days.end),
    orders_of_days: ordersOfDays,
    looked_at: lookedAt,
    times: days.times,
    worth_more: (sums.points_with - sums.points_without) * Number(coupons.pointWorth),
    tiers: tiers.map((tier) => ({ name: tier.name, ...scaled(tier, scale) })),
  };
}

/** Extrapolates to the campaign's length, except for customers: how many buy in a longer time is not known. */
function scaled(sums: ForecastSums, scale: number) {
  return {
    orders: Math.round(sums.orders * scale),
    customers: sums.customers,
    points_without: Math.round(Number(sums.pointsWithout) * scale),
    points_with: Math.round(Number(sums.pointsWith) * scale),
  };
}
