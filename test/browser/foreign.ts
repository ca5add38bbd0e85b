/** Elements that no view of ours has. */
export const FOREIGN =
  'img, iframe, object, embed, form, base, math, marquee, xmp, plaintext, dialog, video, audio, main script, main style, main link, main meta, [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [onanimationstart], [srcdoc], a[href]:not([href^="#"])';
