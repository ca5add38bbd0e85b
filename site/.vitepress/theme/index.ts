import type { Theme } from 'vitepress';
// Letters of the system, as in the report: nothing to load, and nothing of others.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import '../../.pages/colours.css';
import NotThere from './NotThere.vue';
import RequirementList from './RequirementList.vue';
import './style.css';

/** VitePress' own theme in the colours of the report, with the list of requirements. */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotThere) }),
  enhanceApp({ app }) {
    app.component('RequirementList', RequirementList);
  },
} satisfies Theme;
