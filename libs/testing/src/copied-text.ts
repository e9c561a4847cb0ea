import { eventually } from './eventually';

/** How long a page may take to copy what was asked of it. */
const COPIED_WITHIN_MS = 1_000;

/** What is asked of a page of Playwright, which may read the clipboard. */
interface PageWithClipboard {
  evaluate<T>(script: string): Promise<T>;
}

/**
 * Copies until the clipboard has what is expected: all pages of a run share one browser and so one clipboard, and another spec
 * may copy at the same time.
 * @param copy acts on the page as a person does.
 * @param expected throws where the text is another.
 * @returns the text.
 */
export const copiedText = (
  page: PageWithClipboard,
  copy: () => Promise<unknown>,
  expected: (text: string) => void,
): Promise<string> =>
  eventually(async () => {
    await page.evaluate("navigator.clipboard.writeText('nothing was copied')");
    await copy();
    return eventually(async () => {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expected(text);
      return text;
    }, COPIED_WITHIN_MS);
  });
