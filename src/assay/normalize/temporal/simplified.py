"""Traditional characters of words about time as their simplified twins; no offset moves."""

_PAIRS = """
國国 慶庆 節节 勞劳 動动 聖圣 誕诞 復复 婦妇 兒儿 軍军 權权 獨独 樹树 週周 禮礼 號号 後后
個个 點点 時时 鐘钟 鍾钟 這这 還还 間间 現现 當当 內内 過过 來来 從从 與与 兩两 貳贰 參叁
陸陆 萬万 億亿 負负 開开 齋斋 歡欢 燈灯 聯联 陽阳 曆历 歷历 農农 臘腊 閏闰 臺台 門门 歸归
紀纪 殺杀 東东 靈灵 臨临 難难 穌稣 贖赎 猶犹 體体 獻献 誦诵 經经 轉转 會会 衛卫 寶宝 龐庞
爾尔 圖图 帳帐 輪轮 勝胜 淨净 護护 業业 師师 親亲 雙双 風风 際际 費费 濟济 環环 紅红 壇坛
瑪玛 麗丽 齊齐 惡恶 懺忏 灑洒 盧卢 馬马 龍龙 華华 舊旧 戰战 爭争 鳳凤 學学 醫医 藥药 書书
檔档 畫昼 晝昼 嗰那 黃黄 剛刚 鄰邻 燭烛 榮荣 餅饼 樂乐 憶忆 畢毕 創创 傷伤 種种 協协 溫温
約约 啟启 蘭兰 閣阁 達达 慄栗 夢梦 蓋盖 錫锡 誠诚 銷销 電电 視视 氣气 網网 銀银 郵邮 鐵铁
車车 飛飞 運运 觀观 釋释 薩萨 匯汇 羅罗 倫伦 遜逊 殮殓 發发 見见 闆板 鮮鲜 佈布 髒脏 灣湾
無无 聽听 話话 說说 請请 該该 導导 遊游 貝贝 遠远 適适 鬥斗 關关 閉闭 雖虽 頭头 願愿 類类
麼么 暫暂 棗枣 極极 樓楼 櫃柜 歐欧 殘残 毆殴 氫氢 決决 沒没 況况 潔洁 濕湿 為为 爺爷 牆墙
產产 療疗 監监 確确
"""

_TABLE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})


def simplified(text: str) -> str:
    """The text with the characters above made simple."""
    return text.translate(_TABLE)
