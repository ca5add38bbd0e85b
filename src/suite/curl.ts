export { curlLine as curlOf } from '../report/curl.ts';
