import type { Config } from "../config.ts";
import type { MetricsSettings } from "../config-groups.ts";
import { ConfigError } from "../environment.ts";

/** Where a server listens, and what sets it. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** The setting or option of the port. */
  readonly setting: string;
  /** The setting of the host; undefined: it has none. */
  readonly hostSetting?: string;
}

/** Where the process answers; undefined: a worker without a port. */
export function servicePlace(config: Pick<Config, "role" | "host" | "port" | "healthPort">): ListenPlace | undefined {
  const { role, host, port, healthPort } = config;
  if (role !== "worker") return { host, port, setting: "PORT", hostSetting: "HOST" };
  if (healthPort === undefined) return undefined;
  return { host, port: healthPort, setting: "POINTKEEPER_HEALTH_PORT", hostSetting: "HOST" };
}

/** Where the metrics have a port of their own; undefined: they have none. */
export function metricsPlace({ host, port }: MetricsSettings): ListenPlace | undefined {
  if (port === undefined) return undefined;
  return { host, port, setting: "POINTKEEPER_METRICS_PORT", hostSetting: "POINTKEEPER_METRICS_HOST" };
}

/** The refusal where a server cannot listen in its place. */
export function listenError(error: unknown, { host, port, setting, hostSetting }: ListenPlace): ConfigError {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  const settings = hostSetting === undefined ? setting : `${hostSetting} and ${setting}`;
  const text =
    code === "EADDRINUSE"
      ? `Port ${port} of ${host} is in use: set another with ${setting}.`
      : `The service cannot listen on port ${port} of ${host} (${code ?? String(error)}): check ${settings}.`;
  return new ConfigError(text, { cause: error });
}
