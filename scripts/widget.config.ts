import { join } from "node:path";
import { defineConfig } from "vite";

const WIDGET = join(import.meta.dirname, "..", "packages", "widget");

// One script without imports: the service serves it as /widget.js, and the package contains it as dist/widget.js.
export default defineConfig({
  root: WIDGET,
  publicDir: false,
  build: {
    outDir: join(WIDGET, "dist"),
    target: "es2022",
    reportCompressedSize: false,
    lib: { entry: join(WIDGET, "src/index.ts"), formats: ["es"], fileName: () => "widget.js" },
  },
});
