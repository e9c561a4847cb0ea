export { html, htmlText, type Html } from './html';
export { brand, look } from './look';
export { css, stylesheet } from './stylesheet';
