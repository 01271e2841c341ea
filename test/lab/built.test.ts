/** Needs the build (`npm run build`): the compiler leaves the page's script and style alone, so they are copied. */
import { expect, test } from "vitest";
import { renderPage } from "../../src/lab/page/page.js";
import { stoppedLeader } from "./stories.js";

test("when the page is made by the built package, it is the same", async () => {
  const built: unknown = await import(new URL("../../dist/lab/page/page.js", import.meta.url).href);
  const { renderPage: render } = built as { readonly renderPage: typeof renderPage };
  expect(render).not.toBe(renderPage);
  expect(render(stoppedLeader())).toBe(renderPage(stoppedLeader()));
});
