import type { AnyRouter } from "@tanstack/react-router";
import { splitPath } from "../urls/address.ts";

/** Loads the code of the page at a path of the dashboard. */
export async function loadPageCode(router: AnyRouter, path: string): Promise<void> {
  const route = router.getMatchedRoutes(splitPath(path).to)[0].at(-1);
  if (route !== undefined) await router.loadRouteChunk(route);
}
