/** Elements that no view of ours has. The only dialog of ours explains the keys, and stands beside the other tools. */
export const FOREIGN =
  'img, iframe, object, embed, form, base, math, marquee, xmp, plaintext, dialog:not(#tools dialog), video, audio, main script, main style, main link, main meta, [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [onanimationstart], [srcdoc], a[href]:not([href^="#"])';
