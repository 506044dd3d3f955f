import type { Vendor } from "../vendor.ts";
import { bon } from "./bon.ts";
import { easypoints } from "./easypoints.ts";
import { growave } from "./growave.ts";
import { joy } from "./joy.ts";
import { loyaltylion } from "./loyaltylion.ts";
import { pointkeeper } from "./pointkeeper.ts";
import { rivo } from "./rivo.ts";
import { smile } from "./smile.ts";
import { stamped } from "./stamped.ts";
import { yotpo } from "./yotpo.ts";

/** The apps whose files are recognised, in the order in which they are shown. */
export const VENDORS: readonly Vendor[] = [
  ...[smile, loyaltylion, yotpo, rivo, bon, joy, stamped, growave, easypoints, pointkeeper],
];

/** The names of all apps on the command line. */
export const VENDOR_NAMES: readonly string[] = VENDORS.map(({ name }) => name);
