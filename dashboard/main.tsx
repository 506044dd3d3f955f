import "./mantine-styles.ts";
import "@mantine/notifications/styles.layer.css";
import "./global.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { SESSION_QUERY } from "./api/session.ts";
import { createDashboardRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";
import { ignoreSecondSubmits } from "./ui/forms/ignore-second-submits.ts";
import { DeferredRender } from "./ui/layout/deferred-render.tsx";
import { LanguageProvider } from "./words/language.tsx";

const nonce = document.documentElement.dataset["nonce"] ?? "";
// The library of dialogs finds the nonce under this name when it stops the page from scrolling.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no #root.");

ignoreSecondSubmits();
const client = createQueryClient();
void client.prefetchQuery(SESSION_QUERY);

const page = (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
    deduplicateInlineStyles
  >
    <LanguageProvider>
      <QueryClientProvider client={client}>
        <DeferredRender>
          <Notifications position="bottom-left" />
        </DeferredRender>
        <RouterProvider router={createDashboardRouter(client)} />
      </QueryClientProvider>
    </LanguageProvider>
  </MantineProvider>
);
startTransition(() => createRoot(place).render(page)); // renders in small steps
