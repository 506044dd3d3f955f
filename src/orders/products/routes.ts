import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { putProduct } from "./put-product.ts";
import { productAnswer, productBody, productParams } from "./schema.ts";

/** Registers `PUT /products/:id`, which supplies data that order bodies lack (program.md 4). */
export function productRoutes(app: App, deps: Deps): void {
  app.put(
    "/products/:id",
    {
      config: { scope: "write" },
      schema: {
        summary: "Set a product's tags and collections",
        description:
          "Applies to orders from now on. Tags also apply to earlier orders that have not awarded yet, if the product's tags were unknown when they first named it; so do collections. An absent field keeps its value; a list replaces the whole set.",
        tags: ["Orders"],
        params: productParams,
        body: productBody,
        response: { 200: productAnswer },
      },
    },
    async (request) => ({ data: await putProduct(deps, request.params.id, request.body) }),
  );
}
