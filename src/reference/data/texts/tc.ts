import type { NewsTexts } from './texts.ts';

export const tc: NewsTexts = {
  titles: {
    1: [
      '{name} 波動 {pct}，成交額達到 {usd}',
      '{exchange} 上 {symbol} 未平倉合約升至 {usd}',
      '{name} 持有者等待下一次宏觀數據發布',
    ],
    2: [
      '研究：是什麼在推動 {name} 的供應變化',
      '鏈上週報：{symbol} 轉帳總額為 {usd}',
      '{name} 的流動性如何？{exchange} 訂單簿觀察',
    ],
    3: [
      '{firm} 增持價值 {usd} 的 {name}',
      '{firm} 將 {symbol} 敞口提高 {pct}',
      '{exchange} 機構櫃檯看到對 {name} 的需求',
    ],
    4: [
      '觀點：我為何繼續關注 {name}',
      '波動 {pct} 之後，對 {symbol} 應保持耐心',
      '{name} 今年必須回答的三個問題',
    ],
    7: [
      '{exchange} 上線新的 {symbol} 交易對',
      '{name} 基金會宣布網絡升級',
      '{exchange} 將因維護暫停 {symbol} 提幣',
    ],
    13: [
      '買入 {name} 後，{stock} 股價變動 {pct}',
      '{stock} 披露資產負債表持有 {usd} 的 {symbol}',
      '{name} 轉向之際，分析師重新評估 {stock}',
    ],
  },
  generalTitles: [
    '數字資產市場單日成交 {usd}',
    '監管機構就託管業務發布新的諮詢文件',
    '本週穩定幣轉帳總額超過 {usd}',
  ],
  leads: [
    '{name}（{symbol}）在 24 小時內變動 {pct}，主要交易平台成交額為 {usd}。',
    '{exchange} 的交易者繼續關注 {name}，買賣價差保持在較窄水平。',
    '{firm} 對客戶表示，其對 {symbol} 的看法沒有改變。',
  ],
  generalLeads: ['整體市場變動 {pct}，成交額為 {usd}。', '{exchange} 的交易檯稱當日行情平穩有序。'],
  bodies: [
    '歐洲下午時段成交量最高，隨後逐漸回落。',
    '衍生品數據顯示，大多數倉位並未使用高槓桿。',
    '鏈上活動接近過去一個月的平均水平。',
    '做市商表示，市場深度自本季度初以來已經恢復。',
  ],
  headings: ['發生了什麼', '為什麼重要', '接下來看什麼'],
  points: ['流動性集中在少數平台。', '手續費連續第三週下降。', '長期持有者幾乎沒有賣出。'],
  closings: ['預計本週結束前還會公布更多數據。', '本文僅供參考，不構成投資建議。'],
  quotes: [
    '今天市場很熱鬧，正在密切觀察訂單簿。',
    '數據會說話，下面是變化的要點。',
    '耐心勝過預測，附上數字。',
  ],
  caption: '各平台日成交額',
  source: '閱讀原文',
};
